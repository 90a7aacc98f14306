import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "./announcements";
import { readHint } from "./hint";
import * as store from "./store";
import { type Answer, emptyDatabase, entryOf, giveLocks, refusal, Server } from "./testing";
import { watchLine } from "./triggers";

let server: Server;
let reply: Answer | undefined;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  localStorage.clear();
  giveLocks();
  server = new Server();
  reply = undefined;
  server.before = () => reply;
  await emptyDatabase();
  watchLine();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets time pass until the entry is sent. */
const isSent = () =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.sent()).toEqual(["/do/a"]);
  });

/** Lets the page find out that there is no line. */
async function withoutLine(): Promise<void> {
  reply = "no reply";
  await store.put(entryOf("a"), []);
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(server.calls.length).toBeGreaterThan(0));
}

test.each(["online", "pageshow"])("the event '%s' sends", async (type) => {
  await withoutLine();
  reply = undefined;
  dispatchEvent(new Event(type));
  await isSent();
});

test("a page that is looked at again sends", async () => {
  await withoutLine();
  reply = undefined;
  document.dispatchEvent(new Event("visibilitychange"));
  await isSent();
});

test("the line is tested again by itself, whatever the browser says of it", async () => {
  await withoutLine();
  reply = undefined;
  await isSent();
});

test("a busy server is tried again", async () => {
  reply = refusal(503);
  await store.put(entryOf("a"), []);
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(server.calls.length).toBeGreaterThan(0));
  reply = undefined;
  await isSent();
});

test("an entry is tried again when it is due", async () => {
  await store.put({ ...entryOf("a"), nextAt: Date.now() + 50 }, []);
  announce({ type: "changed" });
  await isSent();
});

test("what another tab has kept is sent", async () => {
  await store.put(entryOf("a"), []);
  announce({ type: "changed" });
  await isSent();
  await vi.waitFor(() => expect(readHint()).toBeNull());
});

test("nothing is tried again while nobody is signed in", async () => {
  server.user = null;
  await store.put(entryOf("a"), []);
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(readHint()).not.toBeNull());
  const { length } = server.calls;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(server.calls).toHaveLength(length);
});
