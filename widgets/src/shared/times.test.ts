// @vitest-environment node
import { expect, test } from "vitest";
import { londonDay, since } from "./times";

test.each([
  ["2026-06-30T22:59:00Z", "2026-06-30"],
  ["2026-06-30T23:00:00Z", "2026-07-01"],
  ["2026-12-31T23:59:00Z", "2026-12-31"],
  ["2027-01-01T00:00:00Z", "2027-01-01"],
])("at %s it is %s in London", (moment, day) => {
  expect(londonDay(new Date(moment))).toBe(day);
});

test("a time on another day is formatted with its date", () => {
  const now = new Date("2026-11-21T15:00:00Z");
  expect(since(new Date("2026-11-21T14:02:00Z"), now)).toBe("14:02");
  expect(since(new Date("2026-11-20T14:02:00Z"), now)).toBe("14:02 on 20 Nov");
  // At half past midnight in London it is still the day before in UTC.
  const night = new Date("2026-06-30T23:30:00Z");
  expect(since(new Date("2026-06-30T22:30:00Z"), night)).toBe("23:30 on 30 Jun");
});

test("a time on the same day of another year is formatted with that year", () => {
  const now = new Date("2026-11-21T15:00:00Z");
  expect(since(new Date("2025-11-21T14:02:00Z"), now)).toBe("14:02 on 21 Nov 2025");
});
