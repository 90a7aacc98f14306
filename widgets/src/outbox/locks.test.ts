import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "./database";
import { alone } from "./locks";
import { emptyDatabase } from "./testing";

beforeEach(async () => {
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  await emptyDatabase();
});
afterEach(() => {
  vi.useRealTimers();
});

const lease = async () => (await openDatabase()).get("leases", "quartermaster-outbox");

/** Lets timers run until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await vi.advanceTimersByTimeAsync(500);
    await lease();
  }
}

test("without Web Locks, a lease lets one at a time work", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval"] });
  let end = (): void => {};
  const first = alone(() => new Promise<void>((resolve) => (end = resolve)));
  await vi.waitFor(async () => expect(await lease()).toBeDefined());
  let isDone = false;
  const second = alone(async () => {
    isDone = true;
  });
  for (let looks = 0; looks < 50; looks += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await lease();
  }
  expect(isDone).toBe(false);
  end();
  await first;
  await until(() => isDone);
  await second;
  expect(await lease()).toBeUndefined();
});

test("a page that was closed in the middle doesn't keep its lease", async () => {
  const database = await openDatabase();
  const until = Date.now() - 1;
  await database.put("leases", { holder: "closed", until }, "quartermaster-outbox");
  expect(await alone(async () => "sent")).toBe("sent");
});

test("a lease of a clock that was set back is none", async () => {
  const database = await openDatabase();
  const until = Date.now() + 86_400_000;
  await database.put("leases", { holder: "closed", until }, "quartermaster-outbox");
  expect(await alone(async () => "sent")).toBe("sent");
});

test("a failure ends the lease too", async () => {
  await expect(alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lease()).toBeUndefined();
});
