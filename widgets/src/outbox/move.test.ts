import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GPM, moveOf } from "../offline/testing";
import { recordNavigations } from "../shared/testing";
import { entriesOf } from ".";
import type { Entry, Failure } from "./entry";
import { kindOf } from "./kinds";
import { editedId, move } from "./move";
import * as store from "./store";
import { type Answer, emptyDatabase, giveLocks, refusal, Server } from "./testing";

let server: Server;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  giveLocks();
  server = new Server();
  await emptyDatabase();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const NOT_ENOUGH: Failure = {
  status: 409,
  code: "not_enough_stock",
  message: 'Not enough stock: "Hand warmer" has 2',
  fields: { quantity: 'Not enough stock: "Hand warmer" has 2' },
  body: { available: 2 },
};

/** An entry that came back from the server. */
const returned = (entry: Entry, failure: Failure = NOT_ENOUGH): Entry => ({
  ...entry,
  state: "conflict",
  tries: 1,
  failure,
});

const fieldsOf = (entry: Entry | undefined) => Object.fromEntries(entry?.request.form ?? []);

test("an entry says what it does, where and for whom, and is sent as the dialog's form", () => {
  const entry = moveOf(5, { quantity: "1,200", date: "2026-11-22" });
  expect({ ...entry, content: null }).toMatchObject({
    kind: "move",
    user: 3,
    username: "k.lee",
    division: "gfm",
    subject: "stock:gfm/main",
    detail: "GFM Main · Kitchen",
    page: "/inventory/main",
    request: { method: "POST", url: "/inventory/main/items/5/action" },
  });
  expect(fieldsOf(entry)).toEqual({
    action: "withdrawal",
    quantity: "1,200",
    team: "Kitchen",
    date: "2026-11-22",
    key: entry.id,
  });
});

test("a title names the action, and a detail the destination of a transfer or a recent team", () => {
  expect(moveOf(5, {}).title).toBe("Withdraw 5 × Hand warmer");
  const transfer = { action: "transfer", destination: "guildford", recent_team: "Stores" };
  expect(moveOf(5, { ...transfer, team: "" })).toMatchObject({
    title: "Transfer 5 × Hand warmer",
    detail: "GFM Main · to Guildford",
  });
  expect(moveOf(6, { action: "delivery", team: "", recent_team: "Stores" }, GPM)).toMatchObject({
    title: "Deliver 5 × Rope",
    detail: "GPM Main · Stores",
    subject: "stock:gpm/main",
  });
});

test("an edit leads to the dialog on the list of its store", async () => {
  const entry = moveOf(5, {});
  const address = await move.edit(entry);
  expect(address).toBe(`/inventory/main#entry-${entry.id}`);
  expect(editedId(new URL(address, location.href).hash)).toBe(entry.id);
  expect(editedId("#main")).toBe("");
});

test.each([
  ["was sent without a reply", { tries: 1 }, /^This may have arrived, though no reply/],
  ["a file has too", { hasCopy: true }, /^This was saved as a file, which may have been sent/],
])("what %s can't be edited, and says why", async (_, state, reason) => {
  const entry = { ...moveOf(5, {}), isUnanswered: true, ...state };
  await expect(move.edit(entry)).rejects.toThrow(reason);
});

test("what arrived while the page showed it isn't edited either", async () => {
  const entry = moveOf(5, {});
  await store.put({ ...entry, tries: 1, isUnanswered: true }, []);
  await expect(move.edit(entry)).rejects.toThrow("no reply came");
});

test("what a file has too, and was refused, can be edited under its key", async () => {
  const entry = returned({ ...moveOf(5, {}), hasCopy: true });
  expect(await move.edit(entry)).toContain(entry.id);
});

test("the outbox finds what it needs by the kind", async () => {
  expect(await kindOf(moveOf(5, {}))).toBe(move);
});

test("a withdrawal of more than there is says what was taken, when, and what the books have", () => {
  const madeAt = Date.now();
  const at = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Europe/London" });
  const entry = returned({ ...moveOf(5, {}), madeAt });
  expect(move.conflictOf?.(entry)).toBe(`Taken 5 at ${at.format(madeAt)}, but the books say 2.`);
});

test("what there is can be booked, with the difference noted, under a new key", async () => {
  const entry = { ...moveOf(5, { date: "2026-11-22" }), madeAt: 1000, clockOffset: 7 };
  await store.put(returned(entry), []);
  const [booking] = move.choices(returned(entry));
  expect(booking?.label).toBe("Book 2 and a difference of 3");
  server.before = () => "no reply";
  await booking?.run(returned(entry));
  const [changed, ...others] = await entriesOf(3);
  expect(others).toEqual([]);
  expect(changed).toMatchObject({ madeAt: 1000, clockOffset: 7, state: "waiting" });
  expect(changed?.id).not.toBe(entry.id);
  expect(fieldsOf(changed)).toEqual({
    action: "withdrawal",
    quantity: "5",
    team: "Kitchen",
    date: "2026-11-22",
    book_available: "1",
    key: changed?.id,
  });
});

test("what there is is booked under the same key where a copy may be sent from a file", async () => {
  const entry = { ...returned(moveOf(5, {})), hasCopy: true };
  await store.put(entry, []);
  server.before = () => "no reply";
  await move.choices(entry)[0]?.run(entry);
  const [changed] = await entriesOf(3);
  expect(changed).toMatchObject({ id: entry.id, hasCopy: true, state: "waiting" });
  expect(fieldsOf(changed)).toMatchObject({ book_available: "1", key: entry.id });
});

test("booking what there is is sent at once, and again where there is still less", async () => {
  const entry = moveOf(5, {});
  await store.put(returned(entry), []);
  server.before = ({ path }): Answer | undefined =>
    path === "/session" ? undefined : refusal(409, "not_enough_stock", { available: 1 });
  await move.choices(returned(entry))[0]?.run(returned(entry));
  const [changed] = await entriesOf(3);
  if (!changed) throw new Error("It is gone");
  expect(changed.state).toBe("conflict");
  expect(move.choices(changed)[0]?.label).toBe("Book 1 and a difference of 4");
  server.before = () => undefined;
  await move.choices(changed)[0]?.run(changed);
  expect(await entriesOf(3)).toEqual([]);
  expect(server.made.size).toBe(1);
});

test("Edit opens the dialog, Discard asks for a reason", async () => {
  const entry = returned(moveOf(5, {}));
  await store.put(entry, []);
  const navigations = recordNavigations();
  const [, edit, discard] = move.choices(entry);
  expect(edit?.label).toBe("Edit");
  await edit?.run(entry);
  expect(navigations).toEqual([`/inventory/main#entry-${entry.id}`]);
  expect(discard).toMatchObject({ label: "Discard", isDanger: true, needsReason: true });
});

test("the server learns why something was discarded before it is gone", async () => {
  const entry = returned(moveOf(5, {}));
  await store.put(entry, []);
  await move.choices(entry).at(-1)?.run(entry, "They were broken");
  const posted = server.calls.find(({ path }) => path === "/outbox/discarded");
  expect(JSON.parse(posted?.body ?? "")).toMatchObject({
    entry: entry.id,
    reason: "They were broken",
  });
  expect(await entriesOf(3)).toEqual([]);
});

test("other conflicts can be edited or discarded, and show the words of the server", () => {
  const message = '"Hand warmer" would have 1,000,000,004. An item has 0 to 999,999,999.';
  const failure = { ...NOT_ENOUGH, code: "conflict", message, body: null };
  const entry = returned(moveOf(5, { action: "delivery" }), failure);
  expect(move.conflictOf?.(entry)).toBe(message);
  expect(move.choices(entry).map(({ label }) => label)).toEqual(["Edit", "Discard"]);
});

test("an item that was removed meanwhile leaves nothing to edit", async () => {
  const failure = { ...NOT_ENOUGH, status: 404, code: "not_found", body: null };
  const entry = returned(moveOf(5, {}), failure);
  expect(move.choices(entry).map(({ label }) => label)).toEqual(["Discard"]);
});
