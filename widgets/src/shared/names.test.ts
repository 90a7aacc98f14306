// @vitest-environment node
import { expect, test } from "vitest";
import { matching, nameKey } from "./names";
import { keyFor } from "./once";
import { readPasted } from "./pasted";
import { since } from "./times";

test("names are equal regardless of case, width and spaces", () => {
  expect(nameKey("  ＲＥＤ   Heart ")).toBe(nameKey("red heart"));
});

test("a search finds all words in any order", () => {
  expect(["red hanging heart", "red bag"].filter(matching("HEART red"))).toEqual([
    "red hanging heart",
  ]);
  expect(["anything"].filter(matching(""))).toEqual(["anything"]);
});

test("lines of a spreadsheet are a name, a tab and a number", () => {
  expect(readPasted('Globe\t3\r\n"Heart ""big"""\t\t12\r\n\r\nKit')).toEqual([
    { name: "Globe", qty: "3" },
    { name: 'Heart "big"', qty: "12" },
    { name: "Kit", qty: "" },
  ]);
});

test("a single name is pasted by the browser itself", () => {
  expect(readPasted("Globe \n")).toBeNull();
});

test("the same content keeps its key, other content gets a new one", () => {
  const first = keyFor("a", null);
  expect(keyFor("a", first).key).toBe(first.key);
  expect(keyFor("b", first).key).not.toBe(first.key);
});

test("a time on another day includes the date", () => {
  const now = new Date("2026-11-21T18:00:00Z");
  expect(since(new Date("2026-11-21T14:02:00Z"), now)).toBe("14:02");
  expect(since(new Date("2026-11-20T14:02:00Z"), now)).toBe("14:02 on 20 Nov");
});
