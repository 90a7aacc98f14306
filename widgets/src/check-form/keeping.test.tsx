import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as drafts from "../shared/drafts";
import {
  bar,
  button,
  control,
  type FakeServer,
  fill,
  findSuccess,
  open,
  photoRows,
  pick,
  picture,
  settle,
  startServer,
  stopServer,
  submit,
  type,
} from "./testing";

let server: FakeServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

const OWNER = { user: 7, division: "fleet", site: "", kind: "check" };
const isLeavingConfirmed = (): boolean =>
  !dispatchEvent(new Event("beforeunload", { cancelable: true }));
const discard = async (): Promise<void> => {
  await userEvent.click(button("Discard"));
  await userEvent.click(screen.getByRole("dialog").querySelector(".fill") as HTMLElement);
};

test("what was typed and picked stands there again after a reload, and is sent as one check", async () => {
  const close = await open(server);
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  await fill();
  await type("Equipment", "Ladder");
  await type("Repair/Expense (£)", "12.50");
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await waitFor(() => expect(bar()).toHaveTextContent("2 of 2 photos sent"));
  expect(bar()).toHaveTextContent(/Saved at \d\d:\d\d/);
  await settle();
  close();
  await open(server);
  expect(screen.getByText(/^Draft started at \d\d:\d\d\.$/)).toBeVisible();
  expect([control("Form").value, control("Name").value, control("Equipment").value]).toEqual([
    "gardeningVan",
    "Jo Marsh",
    "Ladder",
  ]);
  expect(control("Repair/Expense (£)")).toHaveValue("12.50");
  await waitFor(() => expect(photoRows()).toEqual(["rear.jpgSent · 1 KB", "strap.jpgSent · 1 KB"]));
  expect(server.sends).toHaveLength(2);
  await submit();
  await findSuccess();
  expect(server.posts()).toHaveLength(1);
  expect(server.posts()[0]?.body).toMatchObject({
    photos: [{ name: "rear.jpg" }, { name: "strap.jpg" }],
  });
});

test("a photo that had not arrived is sent after the reload", async () => {
  server.uploadGate = new Promise(() => {});
  const close = await open(server);
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(server.sends).toHaveLength(1));
  await settle();
  close();
  server.uploadGate = null;
  await open(server);
  await waitFor(() => expect(bar()).toHaveTextContent("1 of 1 photo sent"));
  expect(server.sends).toHaveLength(2);
});

test("the day a check was begun stays its date", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  vi.setSystemTime("2026-11-22T09:00:00Z");
  await open(server);
  expect(control("Date")).toHaveValue("2026-11-21");
});

test("a page left open overnight begins a check on the day it is touched, and takes that day as its date", async () => {
  await open(server);
  vi.setSystemTime("2026-11-22T00:30:00Z");
  await fill();
  expect([control("Date").value, control("Date").max]).toEqual(["2026-11-22", "2026-11-22"]);
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({ date: "2026-11-22" });
});

test("after a check is sent, the next one begun on another day has that day", async () => {
  await open(server);
  await fill();
  await submit();
  await findSuccess();
  vi.setSystemTime("2026-11-22T09:00:00Z");
  await fill();
  expect(control("Date")).toHaveValue("2026-11-22");
});

test("a kept check on a form that is gone stands on the first one", async () => {
  await drafts.put(OWNER, "form", {
    formType: "gone",
    values: { Name: "Jo" },
    cost: "0",
    day: "2026-11-20",
  });
  await open(server);
  expect([control("Form").value, control("Name").value]).toEqual(["vehicleCheckGPM", "Jo"]);
});

test("nobody else is shown it", async () => {
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await settle();
  close();
  await open(server, { user: 8 });
  expect([control("Name").value, photoRows().length]).toEqual(["", 0]);
  expect(screen.queryByText(/Draft started at/)).toBeNull();
});

test("it is gone once it is sent", async () => {
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await findSuccess();
  await settle();
  expect(await drafts.load(OWNER)).toBeNull();
  expect(bar()).not.toHaveTextContent("Saved at");
});

test("it is gone once it is discarded, after a question", async () => {
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await settle();
  close();
  await open(server);
  await discard();
  await waitFor(() => expect(control("Name")).toHaveValue(""));
  expect(photoRows()).toEqual([]);
  expect(screen.queryByText(/Draft started at/)).toBeNull();
  await settle();
  expect(await drafts.load(OWNER)).toBeNull();
});

test("it is gone once all that was typed is taken out again", async () => {
  await open(server);
  await type("Name", "Jo");
  await settle();
  expect(await drafts.load(OWNER)).not.toBeNull();
  await type("Name", "");
  await settle();
  expect(await drafts.load(OWNER)).toBeNull();
});

test("a check of one vehicle that is kept while the page is opened for another is named, and can be kept", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  await open(server, { vehicle: "YD21 HMO" });
  expect(
    screen.getByText(/^There is a draft check of lk19vte, started at \d\d:\d\d\.$/),
  ).toBeVisible();
  expect(screen.queryByText(/^Draft started at/)).toBeNull();
  await userEvent.click(button("Keep"));
  expect(screen.queryByText(/A check of/)).toBeNull();
  expect([control("Number plate").value, control("Mileage").value]).toEqual(["lk19vte", "48,300"]);
});

test("or it is discarded, after a question, and one of the other vehicle begun", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  await open(server, { vehicle: "YD21 HMO" });
  await userEvent.click(button("Discard and start YD21 HMO"));
  await userEvent.click(screen.getByRole("dialog").querySelector(".fill") as HTMLElement);
  await waitFor(() => expect(control("Number plate")).toHaveValue("YD21 HMO"));
  expect(control("Mileage")).toHaveValue("");
  expect(screen.queryByText(/A check of/)).toBeNull();
  await settle();
  expect(await drafts.load(OWNER)).toBeNull();
});

test("a kept check of the very vehicle is offered as any other", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  await open(server, { vehicle: "LK19 VTE" });
  expect(screen.getByText(/^Draft started at/)).toBeVisible();
});

test("leaving asks while there is something unsent", async () => {
  await open(server);
  expect(isLeavingConfirmed()).toBe(false);
  await fill();
  expect(isLeavingConfirmed()).toBe(true);
  await submit();
  await findSuccess();
  expect(isLeavingConfirmed()).toBe(false);
});

test("a form that was only opened for a vehicle is left without a question", async () => {
  await open(server, { vehicle: "LK19 VTE" });
  await settle();
  expect(isLeavingConfirmed()).toBe(false);
  expect(await drafts.load(OWNER)).toBeNull();
});
