/** The stock check without a line: opened from what was read before, kept, and brought back. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entriesOf, sendNow } from "../outbox";
import { openDatabase } from "../outbox/database";
import type { Entry } from "../outbox/entry";
import { kindOf } from "../outbox/kinds";
import { sendDue } from "../outbox/sender";
import * as drafts from "../shared/drafts";
import { COUNT_LIST } from "../shared/drafts";
import { serve } from "../shared/testing";
import {
  apply,
  button,
  count,
  type FakeServer,
  OWNER,
  open,
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

const MOVED = {
  error: "Stock changed meanwhile.",
  code: "stale_amounts",
  moved: [{ id: "Red heart holder", expected: 129, amount: 64 }],
};

async function keptCount(): Promise<Entry> {
  const [kept] = await entriesOf(7);
  if (!kept) throw new Error("nothing is kept");
  return kept;
}

async function savedList(): Promise<unknown> {
  return (await drafts.load({ ...OWNER, kind: COUNT_LIST }))?.parts.get("items");
}

/** Applies a count whose request gets no reply. */
async function keepOne(): Promise<() => void> {
  if (!server.isCut) server.answers.push("no connection");
  const close = await open();
  await type("Red heart holder", "125");
  await apply();
  await screen.findByText("Kept on this phone. It counts once it is sent.");
  return close;
}

test("without a connection the count starts from the list that was read last", async () => {
  const value = { rows: [[1, "Globe", 4, "", 85, "pcs"]] };
  const database = await openDatabase();
  const name = "stock:gfm/main";
  const fetchedAt = Date.parse("2026-11-21T09:12:00Z");
  await database.put("references", { user: 7, name, value, etag: "", fetchedAt });
  serve(() => "no connection");
  await open();
  expect(count("Globe")).toHaveValue("4");
  expect(screen.getByText(/^Stock as of 09:12/)).toBeVisible();
});

test("where the shell says as of when its data are, the count doesn't say so again", async () => {
  const rows = [[1, "Globe", 4, "", 85, "pcs"]];
  const read = (time: string) => ({ value: { rows }, fetchedAt: Date.parse(time) }) as never;
  const close = await open({ reference: read("2026-11-21T09:12:00Z") });
  await type("Globe", "3");
  await savedLine("Globe", "3");
  close();
  await open({ reference: read("2026-11-21T09:12:30Z") });
  expect(count("Globe")).toHaveValue("3");
  expect(screen.queryByText(/as of/)).toBeNull();
});

test("the list is saved for a count without a connection while its page is open", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const close = await open();
  close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await savedList()).toBeUndefined();
  await open();
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await waitFor(async () => expect(await savedList()).toHaveLength(4));
});

test("a kept count says how many lines and found items it has", async () => {
  server.answers.push("no connection");
  await open();
  await type("Globe", "3");
  await type("Hand warmer", "78");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await userEvent.type(screen.getByLabelText("Quantity"), "6");
  await apply();
  await screen.findByText("Kept on this phone. It counts once it is sent.");
  expect((await entriesOf(7))[0]?.title).toBe("Stock check of Main: 2 lines, 1 found item");
});

test("a kept count that comes back has its lines marked, and takes the place of the first", async () => {
  const close = await keepOne();
  server.answers.push({ status: 409, body: MOVED });
  await sendNow((await keptCount()).id);
  close();
  const kept = await keptCount();
  const kind = kindOf(kept);
  expect(kind?.conflictOf?.(kept)).toBe("Not sent: somebody changed 1 of these lines. Look at it.");
  expect(await kind?.edit(kept)).toBe(kept.page);
  await open();
  const table = screen.getByRole("table", { name: "Stock that changed during the count" });
  expect(table).toHaveTextContent("129 when you started, 64 now");
  button("Keep what I counted (125)").click();
  await apply();
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main?done=12"]));
  expect(await entriesOf(7)).toEqual([]);
  expect(server.sent().at(-1)?.body).toMatchObject({
    ops: [{ type: "inc", id: "Red heart holder", delta: 61, expected: 64 }],
  });
});

test("a count that was being edited when it came back is opened with its lines marked", async () => {
  (await keepOne())();
  const before = await keptCount();
  await kindOf(before)?.edit(before);
  server.answers.push({ status: 409, body: MOVED });
  await sendNow(before.id);
  const kept = await keptCount();
  await kindOf(kept)?.edit(kept);
  const close = await open();
  expect(screen.getByText("129 when you started, 64 now")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Keep what I counted (125)" }));
  const isDecided = expect.objectContaining({ choice: "count" });
  await saved("line:Red heart holder", expect.objectContaining({ moved: isDecided }));
  close();
  await kindOf(kept)?.edit(kept);
  await open();
  const pressed = { name: "Keep what I counted (125)", pressed: true };
  expect(await screen.findByRole("button", pressed)).toBeVisible();
});

test("a kept count is not opened over another one", async () => {
  // However often it is tried, so that the page can't send it meanwhile.
  server.answers.push("no connection", "no connection", "no connection");
  const close = await keepOne();
  close();
  const close2 = await open();
  await type("Globe", "3");
  await savedLine("Globe", "3");
  close2();
  const kept = await keptCount();
  await expect(kindOf(kept)?.edit(kept)).rejects.toThrow("Another stock check");
  expect((await keptCount()).state).toBe("waiting");
});

test("a count whose edit is refused stays as it was applied, until its new version is sent", async () => {
  server.isCut = true;
  (await keepOne())();
  server.isCut = false;
  const before = await keptCount();
  await kindOf(before)?.edit(before);
  await open();
  await type("Globe", "3");
  server.answers.push({ status: 422, body: { error: "No" } });
  await apply();
  await screen.findByText("No");
  const { id, madeAt, order, request } = before;
  expect(await entriesOf(7)).toMatchObject([{ id, madeAt, order, request }]);
  await sendDue();
  await type("Globe", "4");
  await apply();
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main?done=12"]));
  expect(await entriesOf(7)).toEqual([]);
  expect(server.sent()).toHaveLength(2);
});

test("a refused edit that is cancelled leaves the count as it was applied", async () => {
  (await keepOne())();
  const before = await keptCount();
  await kindOf(before)?.edit(before);
  await open();
  server.answers.push({ status: 422, body: { error: "No" } });
  await apply();
  await screen.findByText("No");
  await userEvent.click(button("Cancel"));
  expect(screen.getByRole("dialog")).toHaveTextContent("The count as you applied it stays");
  await userEvent.click(button("Discard the count"));
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main"]));
  const { id, request } = before;
  expect(await entriesOf(7)).toMatchObject([{ id, request, state: "waiting" }]);
});

test("an edit of a count that was sent meanwhile isn't applied beside it", async () => {
  (await keepOne())();
  const before = await keptCount();
  await kindOf(before)?.edit(before);
  await open();
  await sendNow(before.id);
  await type("Globe", "3");
  await apply();
  await screen.findByText(/it was sent or discarded meanwhile/);
  expect(server.sent()).toHaveLength(2);
});
