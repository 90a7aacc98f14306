import { expect, test } from "vitest";
import { GPM, moveOf } from "../offline/testing";
import { entriesOf } from ".";
import type { Entry, Failure } from "./entry";
import { editedId, move } from "./move";
import * as actions from "./page/actions";
import * as store from "./store";
import { type Answer, refusal, server, startServers } from "./testing";

startServers();

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

/** Books what there is, as the page of the outbox does. */
async function book(entry: Entry): Promise<void> {
  const settlement = move.settle?.(entry);
  if (settlement) await actions.settle(entry, settlement);
}

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

test("a withdrawal of more than there is says what was taken, when, and what the books have", () => {
  const madeAt = Date.now();
  const at = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Europe/London" });
  const entry = returned({ ...moveOf(5, {}), madeAt });
  expect(move.conflictOf?.(entry)).toBe(`Taken 5 at ${at.format(madeAt)}, but the books say 2.`);
});

test("what there is can be booked, with the difference noted, under a new key", () => {
  const entry = { ...moveOf(5, { date: "2026-11-22" }), madeAt: 1000, clockOffset: 7 };
  const settlement = move.settle?.(returned(entry));
  expect(settlement?.label).toBe("Book 2 and a difference of 3");
  const changed = settlement?.entry;
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

test("what there is is booked under the same key where a copy may be sent from a file", () => {
  const entry = { ...returned(moveOf(5, {})), hasCopy: true };
  const changed = move.settle?.(entry)?.entry;
  expect(changed?.id).toBe(entry.id);
  expect(fieldsOf(changed)).toMatchObject({ book_available: "1", key: entry.id });
});

test("booking what there is is sent at once, and again where there is still less", async () => {
  const entry = returned(moveOf(5, {}));
  await store.put(entry, []);
  server.before = ({ path }): Answer | undefined =>
    path === "/session" ? undefined : refusal(409, "not_enough_stock", { available: 1 });
  await book(entry);
  const [changed] = await entriesOf(3);
  if (!changed) throw new Error("It is gone");
  expect(changed.state).toBe("conflict");
  expect(move.settle?.(changed)?.label).toBe("Book 1 and a difference of 4");
  server.before = () => undefined;
  await book(changed);
  expect(await entriesOf(3)).toEqual([]);
  expect(server.made.size).toBe(1);
});

test("other conflicts show the words of the server, and have nothing to book", () => {
  const message = '"Hand warmer" would have 1,000,000,004. An item has 0 to 999,999,999.';
  const failure = { ...NOT_ENOUGH, code: "conflict", message, body: null };
  const entry = returned(moveOf(5, { action: "delivery" }), failure);
  expect(move.conflictOf?.(entry)).toBe(message);
  expect(move.settle?.(entry)).toBeNull();
});
