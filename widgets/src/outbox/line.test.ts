// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readLine, statusOf } from "./line";
import { type Answer, PORTAL, refusal, Server } from "./testing";

let server: Server;

beforeEach(() => {
  server = new Server();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("the line tells who is signed in, and how far the clock is off", async () => {
  server.now = () => Date.now() + 60_000;
  const line = await readLine();
  expect(statusOf(line)).toEqual({
    state: "online",
    user: 3,
    username: "k.lee",
  });
  const offset = line.state === "online" ? line.session.clockOffset : 0;
  expect(Math.abs(offset - 60_000)).toBeLessThan(5_000);
});

test.each<[string, Answer]>([
  ["a page of a portal", PORTAL],
  ["a page of ours", { text: "<html>" }],
  ["JSON that isn't a session", { body: { message: "Hello" } }],
  ["JSON of somebody else", { body: { user: 3 }, headers: {} }],
  ["a list", { body: [] }],
  ["no such address", refusal(404)],
])("%s is no line", async (_, answer) => {
  server.before = () => answer;
  expect(await readLine()).toEqual({ state: "no connection" });
});

test("a server that is busy names when to come back", async () => {
  const policy = { "Content-Security-Policy": "default-src 'none'" };
  const replies = [
    { ...policy, "Retry-After": "30" },
    { ...policy, "Retry-After": new Date(Date.now() + 60_000).toUTCString() },
    { ...policy, "Retry-After": "soon" },
    policy,
  ];
  const waits: (number | null)[] = [];
  for (const headers of replies) {
    server.before = () => ({ status: 503, body: { error: "Busy" }, headers });
    const line = await readLine();
    waits.push(line.state === "busy" ? line.retryAfter : NaN);
  }
  expect(waits).toEqual([30, expect.closeTo(60, -1), null, null]);
});

test.each<[string, Answer, string]>([
  ["without a reply", "no reply", "no connection"],
  ["refused", refusal(401, "sign_in_required"), "signed out"],
])(
  "a renewal that is %s leaves the person signed out or without a line",
  async (_, answer, state) => {
    server.isExpired = true;
    server.before = ({ path }) => (path === "/session/renew" ? answer : undefined);
    expect(await readLine()).toEqual({ state });
  },
);

test("a session that ends right after its renewal is none", async () => {
  server.isExpired = true;
  let tests = 0;
  server.before = ({ path }) => {
    if (path !== "/session") return undefined;
    tests += 1;
    return tests > 1 ? refusal(401) : undefined;
  };
  expect(await readLine()).toEqual({ state: "signed out" });
});

test("a session that can't be renewed is none", async () => {
  server.isExpired = true;
  server.before = ({ path }) =>
    path === "/session/renew" ? { body: { until: "2026-11-22T19:00:00+00:00" } } : undefined;
  expect(await readLine()).toEqual({ state: "signed out" });
});

test("a server that doesn't answer within twelve seconds is no line", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      }),
  );
  const reading = readLine();
  let isRead = false;
  void reading.then(() => {
    isRead = true;
  });
  // A first connection on a line with replies after 2 s.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isRead).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reading).toEqual({ state: "no connection" });
});
