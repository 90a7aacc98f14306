// @vitest-environment node
import { expect, test } from "vitest";
import { ApiError } from "./api";
import type { Schemas } from "./openapi";
import { applied } from "./ops";
import { ITEMS } from "./testing";

type Op = Schemas["OpBody"];
const PRICED = { item: "Cloche", amount: 6, category: "Glass", unitPrice: 7.95 };

/** Returns the amounts that differ after these operations, by item; null for a removed item. */
function changedBy(...ops: Op[]): Record<string, number | null> {
  const after = new Map(applied(ITEMS, ops).map(({ item, amount }) => [item, amount]));
  const before = new Map(ITEMS.map(({ item, amount }) => [item, amount]));
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  return Object.fromEntries(names.map((name) => [name, after.get(name) ?? null]));
}

test.each<[string, Op[], Record<string, number | null>]>([
  ["more", [{ type: "inc", id: "globe", delta: 3 }], { Globe: 3 }],
  ["less", [{ type: "dec", id: "Hand  Warmer ", delta: 79, expected: 79 }], { "Hand warmer": 0 }],
  [
    "twice",
    [
      { type: "inc", id: "Globe", delta: 3 },
      { type: "dec", id: "Globe", delta: 1 },
    ],
    { Globe: 2 },
  ],
  ["set", [{ type: "set", id: "Globe", data: { amount: 9 }, expected: 0 }], { Globe: 9 }],
  [
    "renamed",
    [{ type: "set", id: "Hand warmer", data: { item: "Warmer" } }],
    { "Hand warmer": null, Warmer: 79 },
  ],
  ["added", [{ type: "add", item: PRICED }], { Cloche: 6 }],
  [
    "added to an existing item",
    [{ type: "add", item: { item: "globe", amount: 5 }, expected: 0 }],
    { Globe: 5 },
  ],
  ["removed", [{ type: "remove", id: "Globe" }], { Globe: null }],
])("%s", (_, ops, changed) => {
  expect(changedBy(...ops)).toEqual(changed);
});

test("an added item has all the values of its op, and the others are unchanged", () => {
  const list = applied(ITEMS, [{ type: "add", item: PRICED }]);
  expect(list.slice(0, -1)).toEqual(ITEMS);
  expect(list.at(-1)).toEqual({ ...PRICED, unit: "" });
});

test.each<[string, number, string, Op[]]>([
  [
    "more than is in stock",
    409,
    'Not enough stock: "Globe" has 0',
    [{ type: "dec", id: "Globe", delta: 1 }],
  ],
  [
    "more than the maximum",
    409,
    '"Hand warmer" would have 1,000,000,078. An item has 0 to 999,999,999.',
    [{ type: "inc", id: "Hand warmer", delta: 999_999_999 }],
  ],
  ["an unknown item", 422, 'Item not found: "Ladder"', [{ type: "inc", id: "Ladder", delta: 1 }]],
  [
    "a name that exists",
    409,
    'Name already exists: "Globe" has 0.',
    [{ type: "add", item: { item: "GLOBE", amount: 1 } }],
  ],
  [
    "another's name",
    409,
    'Name already exists: "Globe"',
    [{ type: "set", id: "Hand warmer", data: { item: "globe" } }],
  ],
  [
    "a set without the amount it is based on",
    422,
    "Must be the amount that this set is based on.",
    [{ type: "set", id: "Globe", data: { amount: 1 } }],
  ],
  [
    "an item that an earlier op removed",
    409,
    '"Globe" is added, renamed or removed by another op.',
    [
      { type: "remove", id: "Globe" },
      { type: "inc", id: "Globe", delta: 1 },
    ],
  ],
])("%s is refused as a whole, with the error at its op", (_, status, message, ops) => {
  const place = ops.length - 1;
  try {
    applied(ITEMS, ops);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, message, fields: { [`ops.${place}`]: message } });
  }
});

test("all items whose stock changed are reported together", () => {
  const ops: Op[] = [
    { type: "inc", id: "Globe", delta: 1, expected: 2 },
    { type: "dec", id: "Ladder", delta: 1, expected: 5 },
  ];
  const moved = [
    { id: "Globe", expected: 2, amount: 0 },
    { id: "Ladder", expected: 5, amount: null },
  ];
  expect(() => applied(ITEMS, ops)).toThrow("The stock of 2 items changed meanwhile.");
  expect(() => applied(ITEMS, ops)).toThrow(
    expect.objectContaining({ status: 409, body: expect.objectContaining({ moved }) }),
  );
});

test("names that only the server distinguishes stop the replacement", () => {
  expect(() => applied([...ITEMS, { ...PRICED, item: "GLOBE", unit: "" }], [])).toThrow(ApiError);
});
