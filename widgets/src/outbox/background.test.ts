// @vitest-environment node
import { afterEach, expect, test, vi } from "vitest";
import { hasBackgroundSync, isNearlyFull, persist, registerSync, showBadge } from "./background";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("where the browser can't do something, nothing breaks", async () => {
  vi.stubGlobal("navigator", {});
  await Promise.all([registerSync(), persist(), showBadge(2), showBadge(0)]);
  expect(await isNearlyFull()).toBe(false);
  expect(hasBackgroundSync()).toBe(false);
});

test("where the browser refuses something, nothing breaks", async () => {
  const refuse = async () => {
    throw new DOMException("", "NotAllowedError");
  };
  vi.stubGlobal("navigator", {
    serviceWorker: { getRegistration: async () => ({ sync: { register: refuse } }) },
    storage: { persisted: refuse, estimate: refuse },
    setAppBadge: refuse,
  });
  await Promise.all([registerSync(), persist(), showBadge(2)]);
  expect(await isNearlyFull()).toBe(false);
});

test("storage that is persistent isn't requested again", async () => {
  const request = vi.fn();
  vi.stubGlobal("navigator", { storage: { persisted: async () => true, persist: request } });
  await persist();
  expect(request).not.toHaveBeenCalled();
});

test("the worker registers with itself", async () => {
  const register = vi.fn(async () => {});
  vi.stubGlobal("registration", { sync: { register } });
  await registerSync();
  expect(register).toHaveBeenCalledOnce();
});

test("a browser with background sync is known by it", () => {
  vi.stubGlobal("ServiceWorkerRegistration", { prototype: { sync: {} } });
  expect(hasBackgroundSync()).toBe(true);
});

test("the icon has the number, or none", async () => {
  const [set, clear] = [vi.fn(), vi.fn()];
  vi.stubGlobal("navigator", { setAppBadge: set, clearAppBadge: clear });
  await showBadge(2);
  await showBadge(0);
  expect(set).toHaveBeenCalledExactlyOnceWith(2);
  expect(clear).toHaveBeenCalledOnce();
});

test("a device is nearly full when a few photos more would fill it", async () => {
  const estimate = async () => ({ quota: 100_000_000, usage: 95_000_000 });
  vi.stubGlobal("navigator", { storage: { estimate } });
  expect(await isNearlyFull()).toBe(true);
});
