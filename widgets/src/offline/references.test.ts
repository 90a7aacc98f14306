import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetPerson, loadPerson, storePerson } from "./person";
import {
  deleteReferences,
  FRESH_FOR_MS,
  firstReference,
  listReferences,
  loadReference,
  refreshReference,
} from "./references";
import { giveReference, ours, PERSON, REFERENCE, serve, startDevice, storedNames } from "./testing";

const NAME = "stock:gfm/main";

beforeEach(() => startDevice(PERSON));
afterEach(() => void vi.unstubAllGlobals());

const longAgo = () => Date.now() - FRESH_FOR_MS;
const json = (value: unknown, etag = `"2"`) =>
  ours(JSON.stringify(value), { headers: { ETag: etag } });

test("a reference is read, stored, and read again only if it has changed", async () => {
  const sent: (HeadersInit | undefined)[] = [];
  const requested = serve((_, { headers }) => {
    sent.push(headers);
    return json(REFERENCE);
  });
  await refreshReference(3, NAME);
  expect(requested).toEqual(["/inventory/main/reference"]);
  expect((await loadReference(3, NAME))?.value).toEqual(REFERENCE);
  expect(sent).toEqual([{ Accept: "application/json", "Outbox-User": "3" }]);

  await giveReference(NAME, REFERENCE, { fetchedAt: longAgo() });
  serve((_, { headers }) => {
    expect(headers).toMatchObject({ "If-None-Match": `"1"` });
    return ours(null, { status: 304 });
  });
  await refreshReference(3, NAME);
  const again = await loadReference(3, NAME);
  expect(again?.value).toEqual(REFERENCE);
  expect(again?.fetchedAt).toBeGreaterThan(longAgo());
});

test("what was read just now isn't read again, unless the clock was set back", async () => {
  const requested = serve(() => json(REFERENCE));
  await giveReference(NAME, REFERENCE);
  await refreshReference(3, NAME);
  expect(requested).toEqual([]);
  await giveReference(NAME, REFERENCE, { fetchedAt: Date.now() + 86_400_000 });
  await refreshReference(3, NAME);
  expect(requested).toHaveLength(1);
});

test("what was read before a change is read again at once", async () => {
  const requested = serve(() => json(REFERENCE));
  const fetchedAt = Date.now() - 1_000;
  await giveReference(NAME, REFERENCE, { fetchedAt });
  await refreshReference(3, NAME, fetchedAt - 1);
  expect(requested).toEqual([]);
  await refreshReference(3, NAME, fetchedAt + 1);
  expect(requested).toHaveLength(1);
});

test("a reading may miss what changes while its reply is on the way", async () => {
  let repliedAt = 0;
  vi.stubGlobal("fetch", async () => {
    const calledAt = Date.now();
    await vi.waitUntil(() => Date.now() > calledAt);
    repliedAt = Date.now();
    return json(REFERENCE);
  });
  await refreshReference(3, NAME);
  expect((await loadReference(3, NAME))?.fetchedAt).toBeLessThan(repliedAt);
});

test("only a reply of our server changes what is stored", async () => {
  await giveReference(NAME, REFERENCE, { fetchedAt: longAgo() });
  serve(() => new Response("{}"));
  await refreshReference(3, NAME);
  serve(() => ours("", { status: 503 }));
  await refreshReference(3, NAME);
  serve(() => ours(null, { status: 304 }));
  await refreshReference(3, "check-form:gfm");
  expect((await loadReference(3, NAME))?.value).toEqual(REFERENCE);
  expect(await storedNames()).toEqual(["3 stock:gfm/main"]);
});

test("what the person may not see any more is deleted", async () => {
  await giveReference(NAME, REFERENCE, { fetchedAt: longAgo() });
  serve(() => ours("", { status: 403 }));
  await refreshReference(3, NAME);
  expect(await storedNames()).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  ["somebody else signs in", () => storePerson({ ...PERSON, user: 4 }, PERSON)],
  ["they sign out", forgetPerson],
])("what comes for a person after %s isn't stored", async (_, change) => {
  for (const reply of [json(REFERENCE), ours(null, { status: 304 })]) {
    await startDevice(PERSON);
    await giveReference(NAME, REFERENCE, { fetchedAt: longAgo() });
    vi.stubGlobal("fetch", async () => {
      await change();
      return reply;
    });
    await refreshReference(3, NAME);
    expect(await storedNames()).toEqual([]);
  }
});

test("a person has their own references only", async () => {
  await giveReference(NAME, REFERENCE, { user: 4 });
  expect(await loadReference(3, NAME)).toBeNull();
  expect(await listReferences(3)).toEqual([]);
  expect(await firstReference(3, [NAME])).toBeNull();
  await giveReference("check-form:gpm", {}, { fetchedAt: 5 });
  expect(await listReferences(3)).toEqual([{ name: "check-form:gpm", fetchedAt: 5 }]);
  expect(await firstReference(3, [NAME, "check-form:gpm"])).toBe("check-form:gpm");
});

test("what isn't the person's is deleted", async () => {
  await giveReference(NAME, REFERENCE, { user: 4 });
  await giveReference(NAME, REFERENCE);
  await deleteReferences(3);
  expect(await storedNames()).toEqual(["3 stock:gfm/main"]);
  await deleteReferences(null);
  expect(await storedNames()).toEqual([]);
  expect(await loadPerson()).toEqual(PERSON);
});
