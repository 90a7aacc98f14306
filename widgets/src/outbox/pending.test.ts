// @vitest-environment node
import { expect, test } from "vitest";
import { moveOf, REFERENCE } from "../offline/testing";
import { describeChange, withPending } from "./pending";
import { entryOf } from "./testing";

const MAIN = "stock:gfm/main";
const ROWS = [
  { id: 5, name: "Hand warmer", amount: 79 },
  { id: 6, name: "Rope", amount: 12 },
];
const amounts = (...given: Parameters<typeof withPending>) =>
  withPending(...given).map(({ amount }) => amount);

test("withdrawals and transfers take from a store, and deliveries add to it", () => {
  const entries = [
    moveOf(5, { quantity: "5" }),
    moveOf(5, { quantity: "4", action: "transfer", destination: "guildford" }),
    moveOf(6, { quantity: "3", action: "delivery" }),
  ];
  expect(withPending(ROWS, entries, MAIN)).toEqual([
    { id: 5, name: "Hand warmer", amount: 70, change: -9, booked: 79 },
    { id: 6, name: "Rope", amount: 15, change: 3, booked: 12 },
  ]);
});

test("a transfer adds to its destination, where the item has another id", () => {
  const entries = [moveOf(5, { action: "transfer", destination: "guildford" })];
  const rows = [{ id: 905, name: "HAND  WARMER", amount: 1 }];
  expect(amounts(rows, entries, "stock:gfm/guildford")).toEqual([6]);
  expect(amounts(rows, entries, "stock:gfm/northern")).toEqual([1]);
});

test("another store's items are left alone, even where they have the same id", () => {
  const guildford = { ...REFERENCE, site: "guildford" as const, siteLabel: "Guildford" };
  expect(amounts(ROWS, [moveOf(5, {}, guildford)], MAIN)).toEqual([79, 12]);
});

test("more than the books have is taken down to nothing", () => {
  const [item] = withPending(ROWS, [moveOf(5, { quantity: "90" })], MAIN);
  expect(item).toMatchObject({ amount: 0, change: -90, booked: 79 });
});

test("the differences of a stock check count too, those of another store don't", () => {
  const ops = [
    { type: "dec", id: "hand warmer", delta: 9, expected: 79 },
    { type: "inc", id: "Rope", delta: 2, expected: 12 },
    { type: "add", item: { item: "Tin", amount: 4 } },
  ];
  const request = { method: "PATCH" as const, url: "/api/gfm/inventory/main", json: { ops } };
  const count = (subject: string) => entryOf("a", { kind: "count", subject, request });
  expect(amounts(ROWS, [count(MAIN)], MAIN)).toEqual([70, 14]);
  expect(amounts(ROWS, [count("stock:gfm/guildford")], MAIN)).toEqual([79, 12]);
  const check = entryOf("b", { kind: "check", subject: MAIN });
  const empty = entryOf("c", { kind: "count", subject: MAIN });
  expect(amounts(ROWS, [check, empty], MAIN)).toEqual([79, 12]);
});

test("a change is described in words", () => {
  expect(describeChange(5000, -1234)).toBe("5,000 in the books, 1,234 taken not sent yet");
  expect(describeChange(0, 3)).toBe("0 in the books, 3 added not sent yet");
});
