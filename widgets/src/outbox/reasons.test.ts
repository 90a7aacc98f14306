// @vitest-environment node
import { expect, test } from "vitest";
import type { Entry, Failure } from "./entry";
import type { Status } from "./line";
import { reasonOf } from "./reasons";
import { entryOf } from "./testing";

const NOW = Date.parse("2026-11-22T14:00:00Z");
const ONLINE: Status = { state: "online", user: 3, username: "k.lee" };

const failure = (status: number, more: Partial<Failure> = {}): Failure => ({
  status,
  code: "",
  message: "",
  fields: {},
  body: null,
  ...more,
});

const later = (cause: Failure): Entry => ({
  ...entryOf("a"),
  tries: 1,
  nextAt: NOW + 5 * 60_000,
  failure: cause,
});

test.each<[string, Status | null, string]>([
  ["without a line", { state: "no connection" }, "No connection"],
  ["signed out", { state: "signed out" }, "Sign in as k.lee to send"],
  ["with another user", { ...ONLINE, user: 4 }, "Sign in as k.lee to send"],
  ["with a busy server", { state: "busy", retryAfter: null }, "The server is busy"],
  ["before the first test", null, "Waits to be sent"],
  ["online", ONLINE, "Waits to be sent"],
])("%s it says why", (_, status, reason) => {
  expect(reasonOf(entryOf("a"), [], status, NOW)).toBe(reason);
});

test.each([
  [failure(503), "the server was busy"],
  [failure(429), "the server was busy"],
  [
    failure(500, { message: "Something went wrong on our side." }),
    "Something went wrong on our side.",
  ],
  [failure(500), "the server had a fault"],
  [failure(0), "the server did not reply"],
  [failure(0, { code: "foreign_reply" }), "the network replied in the server's place"],
])("after a failure it says until when it waits", (cause, words) => {
  expect(reasonOf(later(cause), [], ONLINE, NOW)).toBe(`Waits until 14:05: ${words}`);
});

test("an entry says which one it waits for", () => {
  const first = { ...entryOf("a"), order: 1 };
  const second = { ...entryOf("b"), order: 2 };
  expect(reasonOf(second, [first, second], ONLINE, NOW)).toBe(
    "Waits until 'Withdraw 5 × a' is sent",
  );
});
