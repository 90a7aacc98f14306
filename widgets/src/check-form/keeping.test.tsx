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
  OWNER,
  open,
  photoRows,
  pick,
  picture,
  saved,
  startNext,
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

/** Waits until there is no draft. */
const noDraft = (): Promise<void> =>
  waitFor(async () => expect(await drafts.load(OWNER)).toBeNull());
const isLeavingConfirmed = (): boolean =>
  !dispatchEvent(new Event("beforeunload", { cancelable: true }));
const discard = async (): Promise<void> => {
  await userEvent.click(button("Discard"));
  await userEvent.click(screen.getByRole("dialog").querySelector(".fill") as HTMLElement);
};

test("fields and photos are restored after a reload, and sent as one check", async () => {
  const close = await open(server);
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  await fill();
  await type("Equipment", "Ladder");
  await type("Repair/Expense (£)", "12.50");
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await waitFor(() => expect(bar()).toHaveTextContent("2 of 2 photos sent"));
  expect(bar()).toHaveTextContent(/Saved at \d\d:\d\d/);
  await saved();
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

test("an unsent photo is sent after a reload", async () => {
  server.uploadGate = new Promise(() => {});
  const close = await open(server);
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(server.sends).toHaveLength(1));
  await saved();
  close();
  server.uploadGate = null;
  await open(server);
  await waitFor(() => expect(bar()).toHaveTextContent("1 of 1 photo sent"));
  expect(server.sends).toHaveLength(2);
});

test("a draft keeps the day it was started as its date", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  vi.setSystemTime("2026-11-22T09:00:00Z");
  await open(server);
  expect(control("Date")).toHaveValue("2026-11-21");
});

test("a page left open overnight dates its check on the day of the first input", async () => {
  await open(server);
  vi.setSystemTime("2026-11-22T00:30:00Z");
  await fill();
  expect([control("Date").value, control("Date").max]).toEqual(["2026-11-22", "2026-11-22"]);
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({ date: "2026-11-22" });
});

test("after a check is sent, the next one is dated on the day it is started", async () => {
  await open(server);
  await fill();
  await submit();
  await findSuccess();
  vi.setSystemTime("2026-11-22T09:00:00Z");
  await startNext();
  await fill();
  expect(control("Date")).toHaveValue("2026-11-22");
});

test("a draft on a form that was removed opens on the first form", async () => {
  await drafts.put(OWNER, "form", {
    formType: "gone",
    values: { Name: "Jo" },
    cost: "0",
    day: "2026-11-20",
  });
  await open(server);
  expect([control("Form").value, control("Name").value]).toEqual(["vehicleCheckGPM", "Jo"]);
});

test("another user doesn't see the draft", async () => {
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(bar()).toHaveTextContent("1 of 1 photo sent"));
  await saved();
  close();
  await open(server, { user: 8 });
  expect([control("Name").value, photoRows().length]).toEqual(["", 0]);
  expect(screen.queryByText(/Draft started at/)).toBeNull();
});

test("sending a check removes its draft", async () => {
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await findSuccess();
  await noDraft();
  await startNext();
  expect(bar()).not.toHaveTextContent("Saved at");
});

test("discarding a draft asks for confirmation and removes it", async () => {
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(bar()).toHaveTextContent("1 of 1 photo sent"));
  await saved();
  close();
  await open(server);
  await discard();
  await waitFor(() => expect(control("Name")).toHaveValue(""));
  expect(photoRows()).toEqual([]);
  expect(screen.queryByText(/Draft started at/)).toBeNull();
  await noDraft();
});

test("emptying the form removes the draft", async () => {
  await open(server);
  await type("Name", "Jo");
  await saved();
  expect(await drafts.load(OWNER)).not.toBeNull();
  await type("Name", "");
  await noDraft();
});

test("opening the page for another vehicle names the draft's vehicle and can keep the draft", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  await open(server, { vehicle: "YD21 HMO" });
  expect(screen.getByText(/a draft check of lk19vte, started at \d\d:\d\d\.$/)).toBeVisible();
  expect(screen.queryByText(/^Draft started at/)).toBeNull();
  await userEvent.click(button("Keep"));
  expect(screen.queryByText(/A check of/)).toBeNull();
  expect([control("Number plate").value, control("Mileage").value]).toEqual(["lk19vte", "48,300"]);
});

test("opening the page for another vehicle can discard the draft and start a check of that vehicle", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  await open(server, { vehicle: "YD21 HMO" });
  await userEvent.click(button("Discard and start YD21 HMO"));
  await userEvent.click(screen.getByRole("dialog").querySelector(".fill") as HTMLElement);
  await waitFor(() => expect(control("Number plate")).toHaveValue("YD21 HMO"));
  expect(control("Mileage")).toHaveValue("");
  expect(screen.queryByText(/A check of/)).toBeNull();
  await noDraft();
});

test("a draft of the same vehicle gets the usual notice", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  await open(server, { vehicle: "LK19 VTE" });
  expect(screen.getByText(/^Draft started at/)).toBeVisible();
});

test("leaving the page asks while a check is unsent", async () => {
  await open(server);
  expect(isLeavingConfirmed()).toBe(false);
  await fill();
  expect(isLeavingConfirmed()).toBe(true);
  await submit();
  await findSuccess();
  expect(isLeavingConfirmed()).toBe(false);
});

test("leaving the page doesn't ask about a form that was only opened", async () => {
  await open(server, { vehicle: "LK19 VTE" });
  await saved();
  expect(isLeavingConfirmed()).toBe(false);
  expect(await drafts.load(OWNER)).toBeNull();
});
