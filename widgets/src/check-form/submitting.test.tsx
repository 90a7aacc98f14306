import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "../shared/testing";
import { CheckPage } from "./CheckPage";
import {
  bar,
  control,
  describedBy,
  type FakeServer,
  fill,
  findSuccess,
  open,
  PROPS,
  problems,
  settle,
  startServer,
  stopServer,
  submit,
  type,
  VEHICLES,
} from "./testing";

let server: FakeServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

test("the server's errors are shown at their fields", async () => {
  const fields = {
    reg: "Vehicle number plate is required.",
    odometer: "Mileage (odometer) is required and must be a number.",
    costGBP: "Too much",
    "items.Damage": "Too long",
    other: "Odd",
  };
  server.answers.push({ status: 422, body: { error: "Not saved", fields } });
  await open(server);
  await fill();
  await submit();
  await waitFor(() => expect(problems()).toEqual(Object.values(fields)));
  expect(describedBy("Number plate")).toContain(fields.reg);
  expect(describedBy("Mileage")).toEqual([fields.odometer]);
  expect(describedBy("Repair/Expense (£)")).toEqual(["Too much"]);
  expect(describedBy("Damage")).toEqual(["Too long"]);
  expect(control("Name")).toHaveValue("Jo Marsh");
});

test("an error without a message says that submitting failed", async () => {
  server.answers.push({ status: 404, body: {} });
  await open(server);
  await fill();
  await submit();
  await waitFor(() => expect(problems()).toEqual(["Submit failed"]));
});

const LOST =
  "Submit failed. No connection. Nothing is lost. Try again; the change is made only once.";
const REUSED: Answer = {
  status: 422,
  body: { error: "Something else was sent under this key.", code: "key_reused" },
};
const bodies = () => server.posts().map(({ body }) => body);
const keys = () => new Set(server.posts().map(({ key }) => key));
const isLost = (): Promise<void> => waitFor(() => expect(problems()).toEqual([LOST]));

test("after a lost reply the same body is sent again under the same key, even when no vehicle loads after a reload", async () => {
  let vehicles: Answer = { body: VEHICLES };
  server = await startServer(() => vehicles);
  server.answers.push("no connection");
  const close = await open(server);
  await fill();
  await submit();
  await isLost();
  await settle();
  close();
  vehicles = { status: 500, body: { error: "Failed to load vehicles" } };
  await open(server);
  expect(control("Number plate")).toHaveValue("lk19vte");
  await submit();
  await findSuccess();
  const [first, again] = bodies();
  expect(again).toEqual(first);
  expect([server.posts().length, keys().size]).toEqual([2, 1]);
});

test("changes after a lost reply are sent under the same key, and accepted if the first never arrived", async () => {
  server.answers.push("no connection");
  await open(server);
  await fill();
  await submit();
  await isLost();
  await type("Notes", "And a dent");
  await submit();
  await findSuccess();
  expect(bodies()[1]).toMatchObject({ notes: "And a dent" });
  expect(keys().size).toBe(1);
  expect(screen.queryByText(/first version was submitted/)).toBeNull();
});

test("if the first did arrive, the form says which later changes are not in it", async () => {
  server.answers.push("no connection", REUSED, {
    status: 201,
    body: { id: 1, warnings: ["Lower than the last reading, 48,210."] },
  });
  const close = await open(server);
  await fill();
  await submit();
  await isLost();
  await type("Notes", "And a dent");
  await type("Repair/Expense (£)", "5");
  await settle();
  close();
  await open(server);
  await submit();
  await findSuccess();
  expect(screen.getByText("Lower than the last reading, 48,210.")).toBeVisible();
  expect(
    screen.getByText(
      'Your first version was submitted. These later changes are not in it: Notes "And a dent", Repair/Expense (£) "5.00".',
    ),
  ).toBeVisible();
  const [first, changed, again] = bodies();
  expect(again).toEqual(first);
  expect(changed).not.toEqual(first);
  expect(keys().size).toBe(1);
});

test("a check that another tab sent with other content is reported as already sent", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  await open(server);
  server.answers.push(REUSED);
  await submit();
  await waitFor(() =>
    expect(problems()).toEqual([
      "This check was already sent. See the checks list. To start another check, choose Reset.",
    ]),
  );
});

test("two tabs with the same draft send it under one key, and neither removes the other's next draft", async () => {
  const close = await open(server);
  await fill();
  await settle();
  close();
  const first = render(<CheckPage props={PROPS} tools={server.tools} />);
  await screen.findByText(/^Draft started at/);
  const second = within(first.container);
  const other = render(<CheckPage props={PROPS} tools={server.tools} />);
  await waitFor(() => expect(screen.getAllByText(/^Draft started at/)).toHaveLength(2));
  await userEvent.click(second.getByRole("button", { name: "Submit Check" }));
  await second.findByText("Vehicle check submitted.");
  await userEvent.type(second.getByLabelText(/^Mileage/), "7");
  await settle();
  await userEvent.click(within(other.container).getByRole("button", { name: "Submit Check" }));
  await within(other.container).findByText("Vehicle check submitted.");
  expect([server.posts().length, keys().size]).toEqual([2, 1]);
  other.unmount();
  first.unmount();
  await open(server);
  expect(control("Mileage")).toHaveValue("7");
});

test("a refused check can be corrected and sent under the same key", async () => {
  server.answers.push("no connection", {
    status: 422,
    body: { error: "No", fields: { odometer: "No" } },
  });
  await open(server);
  await fill();
  await submit();
  await isLost();
  await submit();
  await waitFor(() => expect(problems()).toEqual(["No"]));
  await type("Mileage", "48400");
  await submit();
  await findSuccess();
  expect(bodies()[2]).toMatchObject({ odometer: 48400 });
  expect(keys().size).toBe(1);
});

test("a check that is submitted while the vehicles load waits for them", async () => {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (...requests: Parameters<typeof fetch>) => {
    if (requests[1]?.method === "GET") await late;
    return fetch(...requests);
  });
  render(<CheckPage props={PROPS} tools={server.tools} />);
  await screen.findByRole("region", { name: "Send the check" });
  await fill();
  await submit();
  expect(bar()).toHaveTextContent("Waiting for the vehicles…");
  expect(server.posts()).toEqual([]);
  arrive();
  await findSuccess();
  expect(bodies()).toMatchObject([{ reg: "LK19 VTE" }]);
});

test("success is shown even if deleting the draft fails", async () => {
  await open(server);
  await fill();
  await settle();
  vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
    throw new DOMException("disk I/O", "UnknownError");
  });
  await submit();
  await findSuccess();
  expect(problems()).toEqual([]);
});

test("the next check has a new key, even with the same content", async () => {
  await open(server);
  for (const count of [1, 2]) {
    await fill();
    await submit();
    await waitFor(() => expect(server.posts()).toHaveLength(count));
    await findSuccess();
  }
  const [first, second] = server.posts().map(({ key }) => key);
  expect(second).not.toBe(first);
});
