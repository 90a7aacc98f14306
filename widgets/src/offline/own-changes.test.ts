import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../outbox/announcements";
import { openDatabase } from "../outbox/database";
import type { Entry } from "../outbox/entry";
import { HTMX } from "../shared/htmx-events";
import { STOCK_CHANGED } from "../shared/operations";
import { changedAt, PAUSE_MS, watchOwnChanges } from "./own-changes";
import { MAKER, moveOf, startDevice } from "./testing";

let end: () => void = () => {};

/** Watches with a reading that goes on until it is ended; returns how many have begun. */
function watch(): { begun: number; finish(): void; fail(): void } {
  const state = { begun: 0, finish: () => {}, fail: () => {} };
  end = watchOwnChanges(() => {
    state.begun += 1;
    return new Promise((resolve, reject) => {
      state.finish = resolve;
      state.fail = () => reject(new Error("no line"));
    });
  }, Promise.resolve());
  return state;
}

const pause = () => vi.advanceTimersByTimeAsync(PAUSE_MS);
const change = () => document.body.dispatchEvent(new CustomEvent(STOCK_CHANGED, { bubbles: true }));
const request = (verb: string, status: number) => {
  const detail = { requestConfig: { verb }, xhr: { status } };
  document.body.dispatchEvent(new CustomEvent(HTMX.afterRequest, { bubbles: true, detail }));
};
const send = (part: Partial<Entry> = {}) =>
  announce({ type: "sent", id: "1", entry: { ...moveOf(5, {}), ...part }, reply: {} });

beforeEach(async () => {
  await startDevice();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

test.each<[string, () => void]>([
  ["a widget's operation", change],
  ["a form's change", () => request("post", 200)],
  ["a change of stock that was sent", () => send()],
])("after %s the stock is read again, after a pause", async (_, act) => {
  const reading = watch();
  act();
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(reading.begun).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(reading.begun).toBe(1);
});

test.each<[string, () => void]>([
  ["a list that is read", () => request("get", 200)],
  ["a form that is refused", () => request("post", 422)],
  ["a vehicle check that was sent", () => send({ subject: "check:1" })],
  ["an entry that is kept", () => announce({ type: "changed" })],
])("%s changes no stock", async (_, act) => {
  const reading = watch();
  act();
  await pause();
  expect(reading.begun).toBe(0);
  expect(await changedAt(MAKER.user)).toBe(0);
});

test("changes that come together are read together", async () => {
  const reading = watch();
  for (const act of [change, () => request("post", 200), change]) act();
  await pause();
  reading.finish();
  await pause();
  expect(reading.begun).toBe(1);
});

test("a change during a reading is read after it, whatever comes of it", async () => {
  const reading = watch();
  change();
  await pause();
  change();
  await pause();
  expect(reading.begun).toBe(1);
  reading.fail();
  await pause();
  expect(reading.begun).toBe(2);
});

test("a change is known on the next page too, whether it was made there or sent later", async () => {
  expect(await changedAt(3)).toBe(0);
  watch();
  const before = Date.now();
  change();
  expect(await changedAt(3)).toBeGreaterThanOrEqual(before);
  const { id, user, title, detail, madeAt } = moveOf(5, {});
  const sent = { id, user, title, detail, madeAt, day: "", clockOffset: null, reply: {} };
  const sentAt = Date.now() + 60_000;
  await (await openDatabase()).put("sent", { ...sent, sentAt });
  expect(await changedAt(3)).toBe(sentAt);
  expect(await changedAt(4)).toBeLessThan(sentAt);
});

test("a browser that stores nothing reads again all the same", async () => {
  vi.stubGlobal("localStorage", undefined);
  const reading = watch();
  change();
  expect(await changedAt(3)).toBe(0);
  await pause();
  expect(reading.begun).toBe(1);
  vi.unstubAllGlobals();
});
