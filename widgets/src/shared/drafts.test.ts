// @vitest-environment node
import { beforeEach, expect, test, vi } from "vitest";
import * as drafts from "./drafts";

const MINE = { user: 7, division: "gfm", site: "main", kind: "stock-count" };

beforeEach(async () => {
  await drafts.discard(MINE);
});

test("parts are saved one by one and loaded with the times of the first and the last", async () => {
  vi.setSystemTime("2026-11-21T14:02:00Z");
  await drafts.put(MINE, "line:Globe", { counted: "3" });
  vi.setSystemTime("2026-11-21T14:05:00Z");
  await drafts.put(MINE, "line:Kit", { counted: "4" });
  vi.useRealTimers();
  const kept = await drafts.load(MINE);
  expect(kept?.parts).toEqual(
    new Map([
      ["line:Globe", { counted: "3" }],
      ["line:Kit", { counted: "4" }],
    ]),
  );
  expect(kept?.since.toISOString()).toBe("2026-11-21T14:02:00.000Z");
  expect(kept?.until.toISOString()).toBe("2026-11-21T14:05:00.000Z");
});

test.each([
  { user: 8 },
  { division: "gpm" },
  { site: "guildford" },
  { kind: "bulk-update" },
  { user: 70 },
])("a draft is never loaded for another owner: %o", async (other) => {
  await drafts.put(MINE, "line:Globe", 1);
  expect(await drafts.load({ ...MINE, ...other })).toBeNull();
});

test("some parts are saved and others removed together", async () => {
  await drafts.putMany(MINE, [
    ["a", 1],
    ["b", 2],
  ]);
  await drafts.putMany(MINE, [["base", "zero"]], ["a", "b"]);
  expect([...((await drafts.load(MINE))?.parts ?? [])]).toEqual([["base", "zero"]]);
});

test("all parts of a kind are removed together, and no others", async () => {
  await drafts.putMany(MINE, [
    ["line:a", 1],
    ["line:é", 2],
    ["linen", 3],
  ]);
  await drafts.putMany(MINE, [["line:b", 4]], ["line:"]);
  const names = [...((await drafts.load(MINE))?.parts.keys() ?? [])];
  expect(names).toEqual(["line:b", "linen"]);
});

test("a photo is saved unchanged", async () => {
  await drafts.put(MINE, "photo:1", new Blob(["picture"], { type: "image/jpeg" }));
  expect((await drafts.load(MINE))?.parts.has("photo:1")).toBe(true);
});

test("only the discarded draft is removed", async () => {
  const theirs = { ...MINE, user: 8 };
  await drafts.put(MINE, "a", 1);
  await drafts.put(theirs, "a", 2);
  await drafts.discard(MINE);
  expect(await drafts.load(MINE)).toBeNull();
  expect((await drafts.load(theirs))?.parts.get("a")).toBe(2);
});

test("a browser that fails to delete a draft reports that nothing is saved, without an error", async () => {
  vi.resetModules();
  const failing = await import("./drafts");
  await failing.put(MINE, "a", 1);
  vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
    throw new DOMException("disk I/O", "UnknownError");
  });
  await failing.discard(MINE);
  expect(failing.isPersistent()).toBe(false);
  vi.restoreAllMocks();
});

test("a browser without storage still works, and reports that nothing is saved", async () => {
  vi.resetModules();
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("denied", "SecurityError");
    },
  });
  const refused = await import("./drafts");
  await refused.put(MINE, "a", 1);
  expect((await refused.load(MINE))?.parts.get("a")).toBe(1);
  expect(refused.isPersistent()).toBe(false);
  await refused.discard(MINE);
  expect(await refused.load(MINE)).toBeNull();
  vi.unstubAllGlobals();
});
