import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../outbox/database";
import { makeEntry, type NewEntry } from "../outbox/entry";
import { removeSent } from "../outbox/store";
import { forgetPerson, loadPerson, MARK, storePerson } from "./person";
import { readSession } from "./session";
import { giveReference, ours, PERSON, REFERENCE, serve, startDevice, storedNames } from "./testing";

beforeEach(() => startDevice());
afterEach(() => void vi.unstubAllGlobals());

const SESSION = {
  user: 3,
  username: "k.lee",
  divisions: ["gfm"],
  chosen: "gfm",
  expired: false,
  csrf: "token",
  now: new Date().toISOString(),
};
const session = (changes: object = {}) => ours(JSON.stringify({ ...SESSION, ...changes }));

async function giveEntry(): Promise<void> {
  await (await openDatabase()).put("entries", makeEntry(NEW_ENTRY));
}

const NEW_ENTRY: NewEntry = {
  ...{ user: 3, username: "k.lee", division: "gfm", kind: "move", subject: "stock:gfm/main" },
  ...{ title: "Withdraw 5 × HAND WARMER", detail: "", page: "/inventory/main", content: null },
  request: { method: "POST", url: "/inventory/main/items/7/action" },
};

const sentFrom = async () => (await (await openDatabase()).getAll("sent")).map(({ user }) => user);
async function giveSent(user: number): Promise<void> {
  const entry = { ...NEW_ENTRY, id: `sent-${user}`, user };
  await removeSent(makeEntry(entry), { messages: ["No defects."] });
}

const countEntries = async () => (await openDatabase()).count("entries");

test("who is signed in is stored, with how far the clocks are apart", async () => {
  serve(() => session({ now: new Date(Date.now() + 86_400_000).toISOString() }));
  expect((await readSession()).state).toBe("online");
  const person = await loadPerson();
  expect(person).toMatchObject({ user: 3, username: "k.lee", divisions: ["gfm"], chosen: "gfm" });
  expect(Math.round((person?.clockOffset ?? 0) / 60_000)).toBe(24 * 60);
  expect(localStorage.getItem(MARK)).not.toBeNull();
});

test("once somebody else is signed in, what was read for the first person is gone", async () => {
  await storePerson(PERSON);
  await giveReference("stock:gfm/main", REFERENCE);
  await giveReference("stock:gpm/main", REFERENCE, { user: 4 });
  await giveEntry();
  await giveSent(3);
  await giveSent(4);
  serve(() => session({ user: 4, username: "a.khan", divisions: ["gpm"], chosen: null }));
  await readSession();
  expect(await loadPerson()).toMatchObject({ user: 4, chosen: "" });
  expect(await storedNames()).toEqual(["4 stock:gpm/main"]);
  expect(await sentFrom()).toEqual([4]);
  expect(await countEntries()).toBe(1);
});

test("a reply from before a sign-out doesn't bring its person back", async () => {
  await storePerson(PERSON);
  vi.stubGlobal("fetch", async () => {
    await forgetPerson();
    return session();
  });
  expect(await readSession()).toEqual({ state: "online", person: null });
  expect(await loadPerson()).toBeNull();
  expect(localStorage.getItem(MARK)).toBeNull();
});

test("a reply from before a sign-in doesn't replace its person", async () => {
  const next = { ...PERSON, user: 4 };
  await storePerson(PERSON);
  vi.stubGlobal("fetch", async () => {
    await storePerson(next, PERSON);
    return session();
  });
  await readSession();
  expect(await loadPerson()).toEqual(next);
  expect(localStorage.getItem(MARK)).not.toBeNull();
});

test("two pages may read the same sign-in", async () => {
  await storePerson(PERSON);
  const next = { ...PERSON, user: 4 };
  await storePerson(next, PERSON);
  expect(await storePerson({ ...next, chosen: "gpm" }, PERSON)).toBe(true);
  expect(await loadPerson()).toMatchObject({ user: 4, chosen: "gpm" });
});

test.each([400, 429, 503])("a renewal that fails with %i forgets nothing", async (status) => {
  await storePerson(PERSON);
  serve((path) =>
    path === "/session" ? session({ expired: true }) : ours(`{"error": "Wait."}`, { status }),
  );
  expect((await readSession()).state).toBe("no connection");
  expect(await loadPerson()).toEqual(PERSON);
});

test("a person whose session can't be renewed is forgotten", async () => {
  await storePerson(PERSON);
  serve((path) =>
    path === "/session"
      ? session({ expired: true })
      : ours(`{"error": "Please sign in."}`, { status: 401 }),
  );
  expect((await readSession()).state).toBe("signed out");
  expect(await loadPerson()).toBeNull();
});

test("what a person had of a division that they left is gone", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  await giveReference("check-form:gpm", {});
  await storePerson(PERSON);
  expect(await storedNames()).toEqual(["3 stock:gfm/main"]);
});

test("once nobody is signed in, nothing stays but unsent work", async () => {
  await storePerson(PERSON);
  await giveReference("stock:gfm/main", REFERENCE);
  await giveEntry();
  await giveSent(3);
  serve(() => ours(JSON.stringify({ error: "Please sign in." }), { status: 401 }));
  expect(await readSession()).toEqual({ state: "signed out", person: null });
  expect(await loadPerson()).toBeNull();
  expect(await storedNames()).toEqual([]);
  expect(await sentFrom()).toEqual([]);
  expect(localStorage.getItem(MARK)).toBeNull();
  expect(await countEntries()).toBe(1);
});

test("without a line nothing is forgotten", async () => {
  await storePerson(PERSON);
  serve(() => null);
  expect(await readSession()).toEqual({ state: "no connection", person: null });
  serve(() => new Response("Welcome to CafeNet"));
  await readSession();
  expect(await loadPerson()).toEqual(PERSON);
});

test("the sign-in page deletes what was read", async () => {
  await storePerson(PERSON);
  await giveReference("stock:gfm/main", REFERENCE);
  await import("./forget");
  await vi.waitFor(async () => expect(await storedNames()).toEqual([]));
  expect(await loadPerson()).toBeNull();
});

test("a browser without localStorage stores the rest", async () => {
  vi.stubGlobal("localStorage", undefined);
  await storePerson(PERSON);
  expect(await loadPerson()).toEqual(PERSON);
  await forgetPerson();
  expect(await loadPerson()).toBeNull();
});
