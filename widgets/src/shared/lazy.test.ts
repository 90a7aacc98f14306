// @vitest-environment node
/** Parts of scripts that are loaded once they are needed. */
import { expect, test, vi } from "vitest";
import { NoConnection } from "./api";
import { lazy } from "./lazy";

test("a part is loaded when it is needed", async () => {
  expect(await lazy(async () => "part").load()).toBe("part");
});

test("a part that can't be loaded is a lost connection", async () => {
  const { load } = lazy(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(load()).rejects.toThrow(NoConnection);
});

test("a part that is loaded ahead in vain is loaded again when it is needed", async () => {
  const importPart = vi.fn(async () => "part");
  importPart.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { load, preload } = lazy(importPart);
  preload();
  expect(await load()).toBe("part");
});
