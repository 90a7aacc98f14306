import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { moveOf } from "../offline/testing";
import { sendNow } from ".";
import type { Entry, Failure } from "./entry";
import { describeLoaded, loadFile, readFile, saveFile, writeFile } from "./files";
import * as store from "./store";
import { checkOf, emptyDatabase, entryOf, giveLocks, refusal, Server } from "./testing";

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

const HASH = "0a".repeat(32);
const PHOTO = { hash: HASH, name: "front.jpg", data: new Uint8Array([1, 2, 250]).buffer };

/** Returns the file of two entries, one with a photo, on a device that has nothing of them. */
async function savedFile(): Promise<string> {
  await store.put(checkOf("a", { photos: [HASH] }), [PHOTO]);
  await store.put({ ...checkOf("b"), state: "conflict" }, []);
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
  expect(photo).toMatchObject({ hash: HASH, name: "front.jpg" });
  expect([...new Uint8Array(photo?.data ?? new ArrayBuffer(0))]).toEqual([1, 2, 250]);
});

test("what was saved may be sent elsewhere, so no other entry may take its place", async () => {
  await store.put(checkOf("a"), []);
  await writeFile(await store.all());
  await expect(store.replace("a", checkOf("c"))).rejects.toThrow(store.MayHaveArrived);
});

test.each(["where it was saved", "where it was loaded"])(
  "a refusal doesn't make another entry of a copy safe, %s",
  async (where) => {
    await store.put(checkOf("a"), []);
    const text = await writeFile(await store.all());
    if (where === "where it was loaded") {
      await emptyDatabase();
      await loadFile(text, 3);
    }
    new Server().before = ({ path }) => (path === "/api/gpm/checks" ? refusal(409) : undefined);
    await sendNow();
    expect(await store.get("a")).toMatchObject({ state: "conflict", isUnanswered: false });
    await expect(store.replace("a", checkOf("c"))).rejects.toThrow(
      "A copy of this was saved as a file",
    );
    // Under its own key both versions count once; it is a copy all the same.
    await store.replace("a", checkOf("a", { title: "Withdraw 2 × a" }));
    expect(await store.all()).toMatchObject([{ title: "Withdraw 2 × a", hasCopy: true }]);
    await store.put(checkOf("a"), []);
    expect(await store.get("a")).toMatchObject({ hasCopy: true });
  },
);

test("what is here already, or was sent from here, isn't loaded again", async () => {
  const text = await savedFile();
  await store.put(checkOf("a"), []);
  await store.removeSent(checkOf("b"), {});
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
  ["a newer version of entries", {}, { schema: 3 }],
])("%s asks for the page to be loaded again", async (_, changes, ofEntry) => {
  const text = await changedFile(changes, ofEntry);
  expect(() => readFile(text, 3)).toThrow("a newer version of Quartermaster");
});

test.each<[string, object]>([
  ["without a version", { version: "1" }],
  ["without entries", { entries: {} }],
  ["with photos that are none", { photos: [{ hash: 1 }] }],
])("a file %s is refused", async (_, changes) => {
  const text = await changedFile(changes);
  expect(() => readFile(text, 3)).toThrow("This isn't a file of unsent work.");
});

const CHECK = checkOf("a");
const MOVE = moveOf(5, {});
const ops = [{ type: "inc", id: "Rope", delta: 1 }];
const COUNT = entryOf("a", {
  kind: "count",
  request: { method: "PATCH", url: "/api/gfm/inventory/main", json: { ops } },
  content: { site: "main", items: [{ item: "Rope" }], parts: [["begun", true]] },
});

/** Returns the text of a file that has one entry, whatever it is. */
const fileWith = (entry: unknown): string =>
  JSON.stringify({
    format: "quartermaster-outbox",
    version: 1,
    user: 3,
    username: "k.lee",
    entries: [entry],
    photos: [],
  });

test.each([
  ["a check", CHECK],
  ["a move", MOVE],
  [
    "a move that the page's own dialog has sent",
    sending(MOVE, { url: `${MOVE.request.url}?mode=dec` }),
  ],
  ["a stock check", COUNT],
  ["one of them that came back", { ...CHECK, state: "refused", failure: refused() }],
])("a file may have %s", (_, entry) => {
  expect(readFile(fileWith(entry), 3).entries).toEqual([JSON.parse(JSON.stringify(entry))]);
});

/** Returns an entry whose request has changes. */
function sending(entry: Entry, changes: object): object {
  return { ...entry, request: { ...entry.request, ...changes } };
}

function refused(): Failure {
  return { status: 422, code: "invalid", message: "No", fields: {}, body: null };
}

const withKey = (key: string) => ({
  form: [
    ["quantity", "5"],
    ["key", key],
  ],
});

test.each<[string, object]>([
  ["of somebody else", { ...CHECK, user: 4 }],
  ["of an unknown kind", { ...CHECK, kind: "party" }],
  ["of an unknown state", { ...CHECK, state: "done" }],
  ["that sends to another site", sending(CHECK, { url: "//evil.example/api/gpm/checks" })],
  ["that signs out", sending(CHECK, { url: "/logout" })],
  ["that signs out by a form", sending(MOVE, { url: "/logout" })],
  ["that changes the password", sending(MOVE, { url: "/change-password" })],
  ["that takes an operation back", sending(MOVE, { url: "/operations/5/undo" })],
  ["that sends a check as a form", sending(CHECK, { json: undefined, form: [["reg", "a"]] })],
  ["that replaces a whole list", sending(COUNT, { method: "POST" })],
  ["that deletes", sending(CHECK, { method: "DELETE" })],
  ["that leads to another site", { ...CHECK, page: "https://evil.example" }],
  ["that leads to another site by a tab", { ...CHECK, page: "/\t/evil.example" }],
  ["whose photo names an address", { ...CHECK, photos: ["../../logout"] }],
  ["without content", { ...MOVE, content: null }],
  [
    "whose dialog is elsewhere",
    { ...MOVE, content: { ...(MOVE.content as object), store: { address: "//evil.example" } } },
  ],
  ["that is sent under another key", sending(MOVE, withKey("other"))],
  ["that is sent without a key", sending(MOVE, { form: [["quantity", "5"]] })],
  ["that is no record", ["a"]],
])("a file with an entry %s is refused", (_, entry) => {
  expect(() => readFile(fileWith(entry), 3)).toThrow("This isn't a file of unsent work.");
});

test.each(["", "{}", "[1]", "stock,5"])("any other file is refused: '%s'", (text) => {
  expect(() => readFile(text, 3)).toThrow("This isn't a file of unsent work.");
});

test("a photo that isn't readable is refused", async () => {
  const text = await changedFile({
    photos: [{ entry: "a", hash: HASH, name: "front.jpg", base64: "%%%" }],
  });
  await expect(loadFile(text, 3)).rejects.toThrow("This isn't a file of unsent work.");
});

test("a file is offered under its person's name, what it has, and when it was saved", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await store.put(checkOf("a"), []);
  await saveFile(await store.all());
  await store.put(entryOf("b"), []);
  await saveFile(await store.all());
  expect(names[0]).toMatch(/^not-sent-k\.lee-Withdraw-5-a-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.json$/);
  expect(names[1]).toMatch(/^not-sent-k\.lee-2-entries-\d{4}-/);
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledWith("blob:file");
});
