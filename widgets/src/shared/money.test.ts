// @vitest-environment node
import { expect, test } from "vitest";
import { formatPence, formatSignedPence, parsePence, parseWhole } from "./money";

test.each([
  ["2.10", 210],
  ["£1,234.5", 123450],
  ["1.115", 112],
  ["0.0049", 0],
  [".5", 50],
  ["", 0],
])("parses %s like the server", (text, pence) => {
  expect(parsePence(text)).toBe(pence);
});

test.each(["x", "-1", "1e3", "1,23", "1.2.3"])("%s is not a price", (text) => {
  expect(parsePence(text)).toBeNull();
});

test("parses whole numbers only", () => {
  expect([" 1,234 ", "0", "-1", "1.0", ""].map(parseWhole)).toEqual([1234, 0, null, null, null]);
});

test("formats pounds to the penny, however large", () => {
  expect(formatPence(123450)).toBe("£1,234.50");
  expect(formatPence(999999999n * 999999999n)).toBe("£9,999,999,980,000,000.01");
});

test("formats differences with their sign", () => {
  expect([420n, -135177n, 0n].map(formatSignedPence)).toEqual(["+£4.20", "−£1,351.77", "£0.00"]);
});
