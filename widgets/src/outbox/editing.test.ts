import { afterEach, expect, test, vi } from "vitest";
import { deliver, entry, sendNow } from ".";
import { pause, paused, pauseForQuestion, resume } from "./editing";
import { sendDue } from "./sender";
import * as store from "./store";
import { entryOf, refusal, server, startServers } from "./testing";

const HOUR_MS = 60 * 60_000;

startServers();
afterEach(() => void dispatchEvent(new Event("pagehide")));

/** Ends the page, as far as its locks are concerned. */
const endPage = () => dispatchEvent(new Event("pagehide"));

test("what is edited isn't sent, holds up nothing, and is sent after it", async () => {
  await store.put(entryOf("a"), []);
  await store.put(entryOf("b"), []);
  await pause("a", "page");
  await sendNow();
  expect(server.sent()).toEqual(["/do/b"]);
  await resume("a");
  await sendDue();
  expect(server.sent()).toEqual(["/do/b", "/do/a"]);
});

test("an edit that is opened during a failing try ends as any other", async () => {
  server.before = async ({ path }) => {
    if (path !== "/do/a") return undefined;
    await pause("a", "page");
    return refusal(503);
  };
  expect(await deliver(entryOf("a"))).toEqual({
    state: "waiting",
    reason: "You have opened this to change it.",
  });
  await resume("a");
  server.before = () => undefined;
  await sendDue();
  expect(await entry("a")).toBeNull();
});

test("an edit that is opened while it is refused leaves the refusal", async () => {
  server.before = async ({ path }) => {
    if (path !== "/do/a") return undefined;
    await pause("a", "page");
    return refusal(422);
  };
  await deliver(entryOf("a"));
  await resume("a");
  expect(await entry("a")).toMatchObject({ state: "refused", failure: { status: 422 } });
});

test("an edit that is opened while the photos are sent comes before the check", async () => {
  const check = entryOf("a", { kind: "check", photos: ["h1"] });
  await store.put(check, [{ hash: "h1", name: "h1.jpg", data: new ArrayBuffer(3) }]);
  server.before = async ({ method }) => {
    if (method === "PUT") await pause("a", "draft");
    return undefined;
  };
  await sendDue();
  expect(server.sent()).toEqual([]);
  expect(await entry("a")).toMatchObject({ isUnanswered: false, pause: { by: "draft" } });
});

test("whoever sends it now ends its edit", async () => {
  await store.put(paused(entryOf("a")), []);
  await sendNow("a");
  expect(server.sent()).toEqual(["/do/a"]);
});

test("the edit of a move ends with its page", async () => {
  await store.put(entryOf("a"), []);
  await pause("a", "page");
  await sendDue();
  expect(server.sent()).toEqual([]);
  endPage();
  await sendDue();
  expect(server.sent()).toEqual(["/do/a"]);
});

test("the edit of a check is a draft, which outlives its page", async () => {
  await store.put(entryOf("a", { kind: "check" }), []);
  await pause("a", "draft");
  endPage();
  await sendDue();
  expect(server.sent()).toEqual([]);
});

test("without Web Locks, the edit of a move ends after an hour", async () => {
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  await store.put(entryOf("a"), []);
  await pause("a", "page");
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + HOUR_MS / 2);
  await sendDue();
  expect(server.sent()).toEqual([]);
  vi.mocked(Date.now).mockReturnValue(now + 2 * HOUR_MS);
  await sendDue();
  expect(server.sent()).toEqual(["/do/a"]);
});

test("a browser that refuses the lock still lets a move be edited", async () => {
  const { locks } = navigator;
  const request = () => Promise.reject(new DOMException("", "SecurityError"));
  Object.defineProperty(navigator, "locks", { value: { ...locks, request }, configurable: true });
  await store.put(entryOf("a"), []);
  await pause("a", "page");
  expect(await entry("a")).toMatchObject({ pause: { by: "page" } });
});

test("a question keeps an entry from being sent, and leaves it as it was", async () => {
  await store.put(entryOf("a"), []);
  const question = await pauseForQuestion("a");
  await sendDue();
  expect(server.sent()).toEqual([]);
  await question.release();
  expect(await entry("a")).toMatchObject({ pause: null });
});

test("a question about what is edited leaves it to its edit", async () => {
  await store.put(paused(entryOf("a")), []);
  await (await pauseForQuestion("a")).release();
  expect(await entry("a")).toMatchObject({ pause: { by: "draft" } });
});

test("no question comes up about what is gone", async () => {
  await expect(pauseForQuestion("a")).rejects.toBeInstanceOf(store.NotWaiting);
});
