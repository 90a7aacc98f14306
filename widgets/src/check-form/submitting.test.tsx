/** Checks that are sent at once, and what the server answers. */
import { render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
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
  expect(server.posts().map(({ body }) => body)).toMatchObject([{ reg: "LK19 VTE" }]);
});

test("success is shown even if deleting the draft fails", async () => {
  await open(server);
  await fill();
  await saved();
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
    await startNext();
  }
  const [first, second] = server.posts().map(({ key }) => key);
  expect(second).not.toBe(first);
});
