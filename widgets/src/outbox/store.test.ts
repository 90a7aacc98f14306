import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliver } from ".";
import { makeEntry } from "./entry";
import { sendDue } from "./sender";
import * as store from "./store";
import { emptyDatabase, entryOf, giveLocks, Server } from "./testing";

beforeEach(emptyDatabase);
afterEach(() => {
  vi.restoreAllMocks();
});

const photo = (hash: string) => ({ hash, name: `${hash}.jpg`, data: new ArrayBuffer(2) });
const ids = async () => (await store.all()).map(({ id }) => id);

test("an entry is kept with its photos, and they leave with it", async () => {
  await store.put(entryOf("a", { photos: ["h1"] }), [photo("h1")]);
  await store.put(entryOf("b", { photos: ["h1"] }), [photo("h1")]);
  await store.remove("a");
  expect(await store.photosOf("a")).toEqual([]);
  expect(await store.photosOf("b")).toMatchObject([{ entry: "b", hash: "h1", name: "h1.jpg" }]);
});

test("an entry gets a key of its own unless it has one", () => {
  const { id: _, ...values } = entryOf("a");
  expect(makeEntry(values).id).not.toBe(makeEntry(values).id);
});

test("an entry notes how far the clock was off when it was made by who is signed in", async () => {
  const { openDatabase } = await import("./database");
  const person = { user: 3, username: "k.lee", divisions: [], chosen: "", clockOffset: -5_000 };
  await (await openDatabase()).put("device", person, "person");
  await store.put(entryOf("a"), []);
  await store.put(entryOf("b", { user: 4 }), []);
  expect((await store.all()).map(({ clockOffset }) => clockOffset)).toEqual([-5_000, null]);
  expect(await store.person()).toEqual(person);
});

test("an edited entry takes the place of the one before", async () => {
  await store.put(entryOf("a", { photos: ["h1", "h2"] }), [photo("h1"), photo("h2")]);
  await store.put(entryOf("b"), []);
  await store.replace("a", entryOf("c", { photos: ["h2"] }));
  expect(await ids()).toEqual(["c", "b"]);
  expect(await store.photosOf("a")).toEqual([]);
  expect(await store.photosOf("c")).toMatchObject([{ hash: "h2" }]);
});

test("an edit may bring photos of its own", async () => {
  await store.put(entryOf("a", { photos: ["h1"] }), [photo("h1")]);
  await store.replace("a", entryOf("c", { photos: ["h3"] }), [photo("h3")]);
  expect(await store.photosOf("c")).toMatchObject([{ hash: "h3" }]);
});

test("what may have arrived isn't replaced by another entry, which would count too", async () => {
  await store.put({ ...entryOf("a"), isUnanswered: true }, []);
  await expect(store.replace("a", entryOf("c"))).rejects.toThrow(store.MayHaveArrived);
  expect(await ids()).toEqual(["a"]);
});

test("what was sent meanwhile isn't replaced, since its new version would count beside it", async () => {
  await store.put(entryOf("b"), []);
  await expect(store.replace("a", entryOf("c"))).rejects.toThrow(store.NotWaiting);
  expect(await ids()).toEqual(["b"]);
});

test("another version under the same key may replace what may have arrived", async () => {
  await store.put({ ...entryOf("a"), isUnanswered: true }, []);
  await store.replace("a", entryOf("a", { title: "Edited" }));
  expect(await store.get("a")).toMatchObject({ title: "Edited", isUnanswered: true });
});

test("an entry that is kept again waits again", async () => {
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  await store.put(entryOf("a", { title: "Again" }), []);
  expect(await store.get("a")).toMatchObject({ state: "waiting", title: "Again" });
});

test("what may have arrived is sent as it was, if it is kept again", async () => {
  await store.put({ ...entryOf("a"), isUnanswered: true, state: "refused" }, []);
  await store.put(entryOf("a", { title: "Again" }), []);
  expect(await store.get("a")).toMatchObject({ state: "waiting", title: "Withdraw 5 × a" });
});

test("an edit that was made while the first version was sent stays", async () => {
  const sent = entryOf("a");
  await store.put(sent, []);
  await store.replace("a", entryOf("a", { request: { method: "POST", url: "/do/other" } }));
  await store.removeSent(sent, {});
  await store.updateSent(sent, { state: "refused" });
  expect(await store.get("a")).toMatchObject({ state: "waiting", request: { url: "/do/other" } });
  expect(await store.begin(sent)).toBeNull();
});

test("the last twenty that a person has sent are remembered, for a week", async () => {
  vi.spyOn(Date, "now").mockReturnValue(1_000);
  await store.removeSent(entryOf("old"), {});
  vi.mocked(Date.now).mockReturnValue(8 * 86_400_000);
  for (let number = 0; number < 22; number += 1) {
    vi.mocked(Date.now).mockReturnValue(8 * 86_400_000 + number);
    await store.removeSent(entryOf(`n${number}`), { number });
  }
  const sent = (await store.sentBy(3)).map(({ id }) => id);
  expect(sent).toHaveLength(20);
  expect(sent[0]).toBe("n21");
  expect(await store.sentBy(4)).toEqual([]);
  expect(await store.sentEntry("n21")).toMatchObject({ reply: { number: 21 } });
});

test("a full disk is reported, and nothing is kept of the entry", async () => {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...given
  ) {
    if (this.name === "photos") throw new DOMException("", "QuotaExceededError");
    return put.apply(this, given);
  });
  const keeping = store.put(entryOf("a", { photos: ["h1"] }), [photo("h1")]);
  await expect(keeping).rejects.toThrow("This device is full");
  await expect(keeping).rejects.toBeInstanceOf(store.NotKept);
  expect(await ids()).toEqual([]);
});

/** Loads the module anew, as in another tab. */
async function anotherTab(): Promise<typeof store> {
  vi.resetModules();
  return import("./store");
}

test("a browser that stores nothing says so", async () => {
  const other = await anotherTab();
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("", "SecurityError");
  });
  await expect(other.put(entryOf("a"), [])).rejects.toThrow("This browser keeps nothing");
});

test("a database of a newer release asks for the page to be loaded again", async () => {
  const newer = await openDB("quartermaster-offline", 2);
  const other = await anotherTab();
  await expect(other.all()).rejects.toThrow("A newer version of Quartermaster");
  newer.close();
  await deleteDB("quartermaster-offline");
});

test("a database that other tabs keep from being changed asks for them to be closed", async () => {
  vi.doMock("idb", () => ({
    openDB: (_name: string, _version: number, { blocked }: { blocked: () => void }) => {
      blocked();
      return new Promise(() => {});
    },
  }));
  const other = await anotherTab();
  await expect(other.all()).rejects.toThrow("Close the other tabs of Quartermaster");
  vi.doUnmock("idb");
});

test("a newer release in another tab isn't kept waiting", async () => {
  const other = await anotherTab();
  await other.all();
  const newer = await openDB("quartermaster-offline", 2);
  newer.close();
  await deleteDB("quartermaster-offline");
  expect(await other.all()).toEqual([]);
});

test("a database that couldn't be opened is opened again the next time", async () => {
  const other = await anotherTab();
  const open = vi.spyOn(indexedDB, "open").mockImplementationOnce(() => {
    throw new DOMException("", "UnknownError");
  });
  await expect(other.all()).rejects.toThrow();
  open.mockRestore();
  expect(await other.all()).toEqual([]);
});

test("an entry is delivered with two readings of all entries, and many in one round with one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  giveLocks();
  const server = new Server();
  // From now on the page sends by itself.
  await deliver(entryOf("first"));
  await sendDue();
  const reading = vi.spyOn(IDBIndex.prototype, "getAll");
  const ofEntries = () =>
    reading.mock.contexts.filter((index) => (index as IDBIndex).objectStore.name === "entries");
  await deliver(entryOf("a"));
  expect(ofEntries()).toHaveLength(2);
  for (const name of ["b", "c"]) await store.put(entryOf(name), []);
  await store.put(entryOf("d", { subject: "other" }), []);
  reading.mockClear();
  await sendDue();
  expect(server.sent().sort()).toEqual(["/do/a", "/do/b", "/do/c", "/do/d", "/do/first"]);
  expect(ofEntries()).toHaveLength(1);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
