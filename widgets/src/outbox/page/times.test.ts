// @vitest-environment node
import { afterEach, expect, test, vi } from "vitest";
import { sentText } from "./times";

const HOUR = 60 * 60 * 1000;
const sentAt = Date.parse("2026-11-22T23:30:00Z");

afterEach(() => vi.useRealTimers());

test("when an entry was sent is shown by the server's clock, and when it was made if that differs", () => {
  vi.setSystemTime(sentAt);
  const madeAt = sentAt - 2 * HOUR;
  expect(sentText({ sentAt, madeAt, clockOffset: null })).toBe("Sent 23:30, made 21:30.");
  expect(sentText({ sentAt, madeAt: sentAt, clockOffset: null })).toBe("Sent 23:30.");
  expect(sentText({ sentAt, madeAt, clockOffset: HOUR })).toBe("Sent 00:30, made 22:30 on 22 Nov.");
});
