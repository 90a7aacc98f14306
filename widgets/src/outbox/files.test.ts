import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendNow } from ".";
import { describeLoaded, loadFile, readFile, saveFile, writeFile } from "./files";
import * as store from "./store";
import { emptyDatabase, entryOf, giveLocks, refusal, Server } from "./testing";

beforeEach(async () => {
  // What a page does later by itself isn't tested here.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  giveLocks();
  await emptyDatabase();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const PHOTO = { hash: "h1", name: "front.jpg", data: new Uint8Array([1, 2, 250]).buffer };

/** Returns the file of two entries, one with a photo, on a device that has nothing of them. */
async function savedFile(): Promise<string> {
  await store.put(entryOf("a", { photos: ["h1"] }), [PHOTO]);
  await store.put({ ...entryOf("b"), state: "conflict" }, []);
  const text = await writeFile(await store.all());
  await emptyDatabase();
  return text;
}

test("a file has all of the entries, and loads them under their keys", async () => {
  const text = await savedFile();
  expect(describeLoaded(await loadFile(text, 3))).toBe("2 entries loaded.");
  expect(await store.all()).toMatchObject([
    { id: "a", state: "waiting", isUnanswered: true },
    { id: "b", state: "conflict", isUnanswered: true },
  ]);
  const [photo] = await store.photosOf("a");
  expect(photo).toMatchObject({ hash: "h1", name: "front.jpg" });
  expect([...new Uint8Array(photo?.data ?? new ArrayBuffer(0))]).toEqual([1, 2, 250]);
});

test("what was saved may be sent elsewhere, so no other entry may take its place", async () => {
  await store.put(entryOf("a"), []);
  await writeFile(await store.all());
  await expect(store.replace("a", entryOf("c"))).rejects.toThrow(store.MayHaveArrived);
});

test.each(["where it was saved", "where it was loaded"])(
  "a refusal doesn't make another entry of a copy safe, %s",
  async (where) => {
    await store.put(entryOf("a"), []);
    const text = await writeFile(await store.all());
    if (where === "where it was loaded") {
      await emptyDatabase();
      await loadFile(text, 3);
    }
    new Server().before = ({ path }) => (path === "/do/a" ? refusal(409) : undefined);
    await sendNow();
    expect(await store.get("a")).toMatchObject({ state: "conflict", isUnanswered: false });
    await expect(store.replace("a", entryOf("c"))).rejects.toThrow(
      "A copy of this was saved as a file",
    );
    // Under its own key both versions count once; it is a copy all the same.
    await store.replace("a", entryOf("a", { title: "Withdraw 2 × a" }));
    expect(await store.all()).toMatchObject([{ title: "Withdraw 2 × a", hasCopy: true }]);
    await store.put(entryOf("a"), []);
    expect(await store.get("a")).toMatchObject({ hasCopy: true });
  },
);

test("what is here already, or was sent from here, isn't loaded again", async () => {
  const text = await savedFile();
  await store.put(entryOf("a"), []);
  await store.removeSent(entryOf("b"), {});
  expect(describeLoaded(await loadFile(text, 3))).toBe(
    "1 entry was here already. 1 entry was sent already.",
  );
  expect(describeLoaded({ loaded: 0, present: 2, sent: 3 })).toBe(
    "2 entries were here already. 3 entries were sent already.",
  );
  expect(describeLoaded({ loaded: 0, present: 0, sent: 0 })).toBe("The file has no entries.");
});

test("a file is loaded by its own person only", async () => {
  const text = await savedFile();
  await expect(loadFile(text, 4)).rejects.toThrow(
    "This file is k.lee's. Sign in as k.lee to load it.",
  );
  expect(await store.all()).toEqual([]);
});

/** Returns the file with changes to its parts, or to its first entry. */
async function changedFile(changes: object, ofEntry: object = {}): Promise<string> {
  const file = JSON.parse(await savedFile());
  return JSON.stringify({
    ...file,
    entries: [{ ...file.entries[0], ...ofEntry }],
    ...changes,
  });
}

test.each<[string, object, object?]>([
  ["another version of the file", { version: 2 }],
  ["a newer version of entries", {}, { schema: 2 }],
])("%s asks for the page to be loaded again", async (_, changes, ofEntry) => {
  const text = await changedFile(changes, ofEntry);
  expect(() => readFile(text, 3)).toThrow("a newer version of Quartermaster");
});

test.each<[string, object, object?]>([
  ["without a version", { version: "1" }],
  ["without entries", { entries: {} }],
  ["with photos that are none", { photos: [{ hash: 1 }] }],
  ["with an entry of somebody else", {}, { user: 4 }],
  ["with an unknown kind", {}, { kind: "party" }],
  ["that sends to another site", {}, { request: { method: "POST", url: "//evil.example" } }],
  ["that deletes", {}, { request: { method: "DELETE", url: "/do/a" } }],
  ["that leads to another site", {}, { page: "https://evil.example" }],
])("a file %s is refused", async (_, changes, ofEntry) => {
  const text = await changedFile(changes, ofEntry);
  expect(() => readFile(text, 3)).toThrow("This isn't a file of unsent work.");
});

test.each(["", "{}", "[1]", "stock,5"])("any other file is refused: '%s'", (text) => {
  expect(() => readFile(text, 3)).toThrow("This isn't a file of unsent work.");
});

test("a photo that isn't readable is refused", async () => {
  const text = await changedFile({
    photos: [{ entry: "a", hash: "h1", name: "front.jpg", base64: "%%%" }],
  });
  await expect(loadFile(text, 3)).rejects.toThrow("This isn't a file of unsent work.");
});

test("a file is offered under its person's name and the day", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await store.put(entryOf("a"), []);
  await saveFile(await store.all());
  expect(names[0]).toMatch(/^not-sent-k\.lee-\d{4}-\d\d-\d\d\.json$/);
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledWith("blob:file");
});
