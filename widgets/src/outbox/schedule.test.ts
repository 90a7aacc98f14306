// @vitest-environment node
import { expect, test } from "vitest";
import type { Entry } from "./entry";
import { blockersOf, blocks, dueIn, nextDueIn, unblocked, waitAfter } from "./schedule";
import { entryOf } from "./testing";

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;

/** Entries in their order. */
function entries(...values: [name: string, changes?: Partial<Entry>][]): Entry[] {
  return values.map(([name, changes], order) => ({ ...entryOf(name), order, ...changes }));
}

const names = (found: Entry[]) => found.map(({ id }) => id);

test.each([
  [1, 5_000],
  [2, 10_000],
  [5, 80_000],
  [9, 15 * MINUTE],
  [500, 15 * MINUTE],
])("after %i failures it waits about %i ms", (failures, wait) => {
  const [least, most] = [waitAfter(failures, null, 0), waitAfter(failures, null, 1)];
  expect(least).toBeGreaterThanOrEqual(Math.max(5_000, wait * 0.75));
  expect(least).toBeLessThanOrEqual(wait);
  expect(most).toBeGreaterThanOrEqual(wait);
  expect(most).toBeLessThanOrEqual(15 * MINUTE);
});

test("a server that asks for a longer wait gets it, up to an hour", () => {
  expect(waitAfter(1, 120)).toBe(2 * MINUTE);
  expect(waitAfter(1, 86_400)).toBe(60 * MINUTE);
});

test("an entry is due once its wait is over", () => {
  expect(dueIn({ ...entryOf("a"), nextAt: NOW + MINUTE }, NOW)).toBe(MINUTE);
  expect(dueIn({ ...entryOf("a"), nextAt: NOW - MINUTE }, NOW)).toBe(0);
});

test("a clock that was set back by a day stalls nothing", () => {
  const entry = { ...entryOf("a"), nextAt: NOW + MINUTE };
  expect(dueIn(entry, NOW - 86_400_000)).toBe(0);
});

test("the first of a subject is sent before the others", () => {
  const all = entries(["a"], ["b"], ["c", { subject: "check:1" }]);
  expect(names(unblocked(all))).toEqual(["a", "c"]);
  const [, second] = all;
  expect(second && names(blockersOf(second, all))).toEqual(["a"]);
});

test("the subjects of two people are apart", () => {
  expect(names(unblocked(entries(["a"], ["b", { user: 4 }])))).toEqual(["a", "b"]);
});

test.each<[string, Partial<Entry>]>([
  ["waits for its person", { state: "conflict" }],
  ["was refused", { state: "refused" }],
  ["got four replies", { answeredTries: 4 }],
  ["got no reply eight times", { tries: 8 }],
])("an entry that %s blocks nothing", (_, changes) => {
  const [first, second] = entries(["a", changes], ["b"]);
  expect(first && blocks(first)).toBe(false);
  expect(names(unblocked([first, second] as Entry[]))).toContain("b");
});

test("the next is due when the first that isn't blocked is", () => {
  const all = entries(
    ["a", { nextAt: NOW + 5 * MINUTE }],
    ["b"],
    ["c", { subject: "2", nextAt: NOW + 7 * MINUTE }],
  );
  expect(nextDueIn(all, NOW)).toBe(5 * MINUTE);
  expect(nextDueIn([], NOW)).toBeNull();
});
