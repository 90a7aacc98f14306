import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entriesOf, sendNow } from "../outbox";
import * as drafts from "../shared/drafts";
import { ITEMS, serve, sessionOf } from "../shared/testing";
import {
  apply,
  bar,
  button,
  chooseApply,
  count,
  type FakeServer,
  OWNER,
  open,
  question,
  row,
  saved,
  savedLine,
  startServer,
  stopServer,
  type,
} from "./testing";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);
afterEach(() => vi.useRealTimers());
const opsOf = (n: number) => (server.sent()[n]?.body as { ops: unknown[] } | undefined)?.ops;
const MOVED = {
  error: "Stock changed meanwhile.",
  code: "stale_amounts",
  moved: [
    { id: "Red heart holder", expected: 129, amount: 64 },
    { id: "Hand warmer", expected: 79, amount: null },
  ],
};

test("one request contains differences, lines looked at and found items", async () => {
  await open();
  await type("Red heart holder", "125");
  await type("Globe", "3");
  count("Hand warmer").focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await userEvent.type(screen.getByLabelText("Quantity"), "6");
  await userEvent.type(screen.getByLabelText("Unit price (£)"), "7.95");
  await apply();
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main?done=12"]));
  expect(server.sent()).toHaveLength(1);
  expect(server.sent()[0]?.body).toEqual({
    ops: [
      { type: "dec", id: "Red heart holder", delta: 4, expected: 129 },
      { type: "inc", id: "Hand warmer", delta: 0, expected: 79 },
      { type: "inc", id: "Globe", delta: 3, expected: 0 },
      {
        type: "add",
        item: { item: "Cloche", amount: 6, category: "", unitPrice: 7.95, unit: "pcs" },
      },
    ],
    reason: "Stock Check 2026-11-21",
    team: "Stock Check",
    ts: "2026-11-21T12:00:00",
  });
  expect(await drafts.load(OWNER)).toBeNull();
});

test("without a difference nothing is sent, and a message says so", async () => {
  await open();
  await chooseApply();
  expect(within(bar()).getByRole("status")).toHaveTextContent("No differences to apply.");
  expect(screen.queryByRole("dialog")).toBeNull();
  await type("Globe", "1");
  expect(within(bar()).getByRole("status")).toBeEmptyDOMElement();
  expect(server.sent()).toEqual([]);
  expect(server.navigations).toEqual([]);
});

test("lines counted without a difference are recorded too", async () => {
  await open();
  await type("Globe", "0");
  await chooseApply();
  expect(screen.getByRole("heading", { name: "No differences to apply." })).toBeVisible();
  expect(question()).toHaveTextContent("1 line counted as expected will be recorded.");
  await userEvent.click(button("Record 1"));
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main?done=12"]));
  expect(opsOf(0)).toEqual([{ type: "inc", id: "Globe", delta: 0, expected: 0 }]);
});

test("Enter in a field never applies the count", async () => {
  await open();
  await type("Globe", "3");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche{Enter}");
  await userEvent.type(screen.getByRole("searchbox"), "glo{Enter}");
  expect(server.sent()).toEqual([]);
});

test("a found item without name or quantity blocks Apply", async () => {
  await open();
  await type("Globe", "3");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await chooseApply();
  const alert = screen.getByRole("alert");
  await userEvent.click(within(alert).getByRole("button", { name: "Enter name and quantity" }));
  expect(screen.getByLabelText("Item name")).toHaveFocus();
  expect(server.sent()).toEqual([]);
});

test("without a connection the count is kept, and counts once it is sent", async () => {
  vi.setSystemTime("2026-11-23T12:00:00Z");
  server.answers.push("no connection");
  await open();
  await type("Globe", "3");
  await apply();
  expect(await screen.findByText("Kept on this phone. It counts once it is sent.")).toBeVisible();
  expect(screen.getByRole("link", { name: "1 not sent yet" })).toHaveAttribute("href", "/outbox");
  expect(screen.getByRole("link", { name: "Stock list" })).toHaveAttribute(
    "href",
    "/inventory/main",
  );
  expect(await drafts.load(OWNER)).toBeNull();
  const [kept] = await entriesOf(7);
  expect(kept).toMatchObject({
    kind: "count",
    subject: "stock:gfm/main",
    title: "Stock check of Main: 1 line",
    division: "gfm",
    state: "waiting",
  });
  await sendNow(kept?.id);
  expect(await screen.findByText(/^Sent 12:00\.$/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("link", { name: /not sent yet/ })).toBeNull());
  const [first, again] = server.sent();
  expect(again).toEqual(first);
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
});

test("stale lines are resolved one by one, then sent again", async () => {
  server.answers.push({ status: 409, body: MOVED });
  await open();
  await type("Red heart holder", "125");
  await type("Hand warmer", "78");
  await apply();
  const moved = await screen.findByRole("table", { name: "Stock that changed during the count" });
  expect(moved).toHaveTextContent("129 when you started, 64 now");
  expect(moved).toHaveTextContent("79 when you started, removed since");
  await chooseApply();
  expect(screen.getByRole("alert")).toHaveTextContent(
    "Decide what to do with each line whose stock has changed.",
  );
  expect(server.sent()).toHaveLength(1);
  await userEvent.click(button("Keep what I counted (125)"));
  expect(within(row("Red heart holder")).getByText("+61")).toBeVisible();
  await userEvent.click(button("Keep the difference (−4 → 60)"));
  expect(button("Keep the difference (−4 → 60)")).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(button(/^Leave it out/));
  await apply();
  await waitFor(() => expect(server.navigations).toHaveLength(1));
  expect(opsOf(1)).toEqual([{ type: "dec", id: "Red heart holder", delta: 4, expected: 64 }]);
  expect(server.sent()[1]?.key).not.toBe(server.sent()[0]?.key);
});

test("a stale line can keep its count instead", async () => {
  server.answers.push({ status: 409, body: { ...MOVED, moved: MOVED.moved.slice(0, 1) } });
  await open();
  await type("Red heart holder", "125");
  await apply();
  await userEvent.click(await screen.findByRole("button", { name: "Keep what I counted (125)" }));
  await apply();
  await waitFor(() => expect(server.navigations).toHaveLength(1));
  expect(opsOf(1)).toEqual([{ type: "inc", id: "Red heart holder", delta: 61, expected: 64 }]);
});

test.each([
  ["Keep all I counted", [125, 70, 117]],
  ["Keep all differences", [60, 41, 17]],
])("three stale lines are resolved together by '%s'", async (choice, counted) => {
  const moved = [
    { id: "Red heart holder", expected: 129, amount: 64 },
    { id: "Hand warmer", expected: 79, amount: 50 },
    { id: "Paper chain kit", expected: 117, amount: 17 },
    { id: "Globe", expected: 0, amount: null },
  ];
  server.answers.push({ status: 409, body: { ...MOVED, moved } });
  await open();
  await type("Red heart holder", "125");
  await type("Hand warmer", "70");
  await apply();
  await userEvent.click(await screen.findByRole("button", { name: choice }));
  const counts = ["Red heart holder", "Hand warmer", "Paper chain kit"].map(
    (item) => count(item).value,
  );
  expect(counts).toEqual(counted.map(String));
  await userEvent.click(button("Leave it out: Globe"));
  await apply();
  await waitFor(() => expect(server.navigations).toHaveLength(1));
});

test("a difference that would result in less than zero isn't offered", async () => {
  server.answers.push({
    status: 409,
    body: {
      error: "Moved",
      code: "stale_amounts",
      moved: [{ id: "Red heart holder", expected: 129, amount: 2 }],
    },
  });
  await open();
  await type("Red heart holder", "125");
  await apply();
  expect(
    await screen.findByText("The difference of −4 can't be kept: only 2 are left."),
  ).toBeVisible();
});

test("stale lines survive a reload, and typing in one counts its current stock", async () => {
  server.answers.push({ status: 409, body: { ...MOVED, moved: MOVED.moved.slice(0, 1) } });
  const close = await open();
  await type("Red heart holder", "125");
  await apply();
  await screen.findByRole("table", { name: /Stock that changed/ });
  await saved("line:Red heart holder", expect.objectContaining({ moved: expect.anything() }));
  close();
  await open();
  await type("Red heart holder", "66");
  await apply();
  await waitFor(() => expect(server.navigations).toHaveLength(1));
  expect(opsOf(1)).toEqual([{ type: "inc", id: "Red heart holder", delta: 2, expected: 64 }]);
});

test("the server's errors are shown at their lines and found items until corrected", async () => {
  server.answers.push({
    status: 422,
    body: { error: "No.", fields: { "ops.0.id": "No such item.", "ops.1.item.name": "Too long." } },
  });
  await open();
  await type("Globe", "3");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await userEvent.type(screen.getByLabelText("Quantity"), "6");
  await apply();
  expect(await screen.findByRole("alert")).toHaveTextContent("No such item.");
  expect(within(row("Globe")).getByText("No such item.")).toBeVisible();
  expect(screen.getByLabelText("Item name")).toBeInvalid();
  await type("Globe", "2");
  expect(within(row("Globe")).queryByText("No such item.")).toBeNull();
});

test("an error without a message says what failed", async () => {
  server.answers.push({ status: 400, body: {} });
  await open();
  await type("Globe", "3");
  await apply();
  expect(await screen.findByText("Failed to apply stock check")).toBeVisible();
});

test("a count that was sent as a whole list leads to the list, with a message", async () => {
  const requests = serve(({ method, url }) => {
    if (method === "PATCH") return { status: 405, text: "" };
    if (url === "/session") return sessionOf(7);
    return method === "GET" ? { body: ITEMS, headers: { ETag: '"gfm-main-1"' } } : { body: {} };
  });
  await open();
  await type("Globe", "3");
  await apply();
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main?done=count"]));
  const ofStock = requests.filter(({ url }) => url !== "/session");
  expect(ofStock.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "POST"]);
});

test("a count is saved while it is typed, and resumed unchanged", async () => {
  const close = await open();
  await type("Globe", "3x");
  await type("Hand warmer", "78");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await saved("found", [expect.objectContaining({ name: "Cloche" })]);
  close();
  await open();
  expect(
    screen.getByText(
      /^Count resumed\. It was started at \d\d:\d\d and is saved in this browser\.$/,
    ),
  ).toBeVisible();
  expect([count("Globe").value, count("Hand warmer").value]).toEqual(["3x", "78"]);
  expect(screen.getByLabelText("Item name")).toHaveValue("Cloche");
  expect(bar()).toHaveTextContent("3 lines not looked at");
});

test("a count of zeros is resumed as zeros", async () => {
  const close = await open();
  await type("Hand warmer", "5");
  await userEvent.click(button("Set all counted to 0"));
  await userEvent.click(button("Go ahead"));
  await saved("base", "zero");
  close();
  await open();
  expect([count("Hand warmer").value, count("Red heart holder").value]).toEqual(["0", "0"]);
});

test("another person on the same browser starts a new count", async () => {
  const close = await open();
  await type("Globe", "3");
  await savedLine("Globe", "3");
  close();
  await open({ user: 8 });
  expect(count("Globe")).toHaveValue("0");
  expect(screen.queryByText(/saved in this browser/)).toBeNull();
});

test("starting again asks for confirmation, then loads the list again", async () => {
  const close = await open();
  await type("Globe", "3");
  await savedLine("Globe", "3");
  close();
  await open();
  await userEvent.click(button("Start again"));
  await userEvent.click(
    within(screen.getByRole("dialog")).getByRole("button", { name: "Start again" }),
  );
  await waitFor(() => expect(count("Globe")).toHaveValue("0"));
  expect(await drafts.load(OWNER)).toBeNull();
});

test("Cancel asks for confirmation only of a started count, and discards it", async () => {
  await open();
  await userEvent.click(button("Cancel"));
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main"]));
  await type("Globe", "3");
  await savedLine("Globe", "3");
  await userEvent.click(button("Cancel"));
  expect(server.navigations).toHaveLength(1);
  await userEvent.click(button("Discard the count"));
  await waitFor(() => expect(server.navigations).toHaveLength(2));
  expect(await drafts.load(OWNER)).toBeNull();
});

test("leaving the page asks while a count is unsent", async () => {
  await open();
  const leave = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(false);
  await type("Globe", "3");
  expect(leave()).toBe(true);
});
