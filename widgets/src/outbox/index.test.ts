import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  confirmAndSend,
  deliver,
  discard,
  discardUnsent,
  entriesOf,
  entry,
  keep,
  NotKept,
  remove,
  replace,
  sendInBackground,
  sendNow,
  subscribe,
} from ".";
import { announce } from "./announcements";
import { readHint } from "./hint";
import * as store from "./store";
import { type Answer, emptyDatabase, entryOf, giveLocks, PORTAL, refusal, Server } from "./testing";

let server: Server;

beforeEach(async () => {
  // What a page does later by itself isn't tested here.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  localStorage.clear();
  giveLocks();
  server = new Server();
  await emptyDatabase();
});
afterEach(() => {
  giveTurn();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets no entry be kept: the disk is full. */
function fillDisk(): void {
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
}

test("who waits at the screen gets the server's reply", async () => {
  expect(await deliver(entryOf("a"))).toEqual({
    state: "sent",
    reply: { message: "Made /do/a" },
  });
});

test("what a kept entry is waiting for is reported", async () => {
  server.before = () => "no reply";
  expect(await deliver(entryOf("a"))).toEqual({ state: "waiting", reason: "No connection" });
  expect(readHint()).toMatchObject([{ user: 3, username: "k.lee", count: 1 }]);
  expect((await entriesOf(3)).map(({ id }) => id)).toEqual(["a"]);
  expect(await entriesOf(4)).toEqual([]);
});

test("an entry that another tab has sent meanwhile has its reply too", async () => {
  const request = vi.fn(async (_: string, work: () => Promise<unknown>) => {
    await store.removeSent(entryOf("a"), { by: "another tab" });
    return work();
  });
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  expect(await deliver(entryOf("a"))).toEqual({ state: "sent", reply: { by: "another tab" } });
});

test("an entry that another tab has discarded meanwhile isn't reported as sent", async () => {
  const request = vi.fn(async (_: string, work: () => Promise<unknown>) => {
    await store.remove("a");
    return work();
  });
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await expect(deliver(entryOf("a"))).rejects.toBeInstanceOf(store.NotWaiting);
});

test("the reply to the version before an edit isn't reported for the edited one", async () => {
  const earlier = entryOf("a", { request: { method: "POST", url: "/do/a", json: { first: 1 } } });
  server.before = ({ path }) => {
    if (path !== "/do/a") return undefined;
    announce({ type: "sent", id: "a", entry: earlier, reply: { of: "the first" } });
    return refusal(422, "key_reused");
  };
  expect(await deliver(entryOf("a"))).toMatchObject({
    state: "refused",
    failure: { code: "key_reused" },
  });
});

let giveTurn = (): void => {};

/** Returns the module of a tab whose turn to send comes after the test. */
async function waitingTab(): Promise<typeof import(".")> {
  const turn = new Promise<void>((resolve) => {
    giveTurn = resolve;
  });
  const request = (_: string, work: () => Promise<unknown>) => turn.then(work);
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  vi.resetModules();
  return import(".");
}

test("another tab's announcement is enough, however long this one waits for its turn", async () => {
  const delivering = (await waitingTab()).deliver(entryOf("a"));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  announce({ type: "sent", id: "a", entry: entryOf("a"), reply: { by: "another tab" } });
  expect(await delivering).toEqual({ state: "sent", reply: { by: "another tab" } });
});

test("nobody waits at the screen for ever", async () => {
  const outcomes: unknown[] = [];
  void (await waitingTab()).deliver(entryOf("a")).then((outcome) => outcomes.push(outcome));
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(26_000);
    expect(outcomes).toEqual([{ state: "waiting", reason: "It is being sent" }]);
  });
});

test("what can't be kept is sent all the same", async () => {
  fillDisk();
  expect(await deliver(entryOf("a"))).toEqual({
    state: "sent",
    reply: { message: "Made /do/a" },
  });
});

test("a refusal of what can't be kept is reported", async () => {
  fillDisk();
  server.before = ({ path }) => (path === "/do/a" ? refusal(422, "invalid") : undefined);
  expect(await deliver(entryOf("a"))).toMatchObject({
    state: "refused",
    failure: { code: "invalid" },
  });
});

test.each([
  ["sent nor kept", "no reply" as const],
  ["sent by somebody else nor kept", undefined],
])("what can neither be %s is reported", async (_, answer) => {
  fillDisk();
  server.before = () => answer;
  if (!answer) server.user = 4;
  const delivering = deliver(entryOf("a"));
  await expect(delivering).rejects.toBeInstanceOf(NotKept);
  await expect(delivering).rejects.toThrow("This device is full");
});

const OF_CHANGE: [string, Answer, boolean][] = [
  ["no reply", "no reply", true],
  ["a reply by somebody else", PORTAL, true],
  ["a fault of the server", refusal(503), true],
  ["a reply that came too late", refusal(408), true],
  ["a server that is too busy", refusal(429), false],
];

test.each(OF_CHANGE)("with %s, what can't be kept may have arrived", async (_, answer, may) => {
  fillDisk();
  server.before = ({ path }) => (path === "/do/a" ? answer : undefined);
  const message = may ? "This may have arrived, though no reply came." : "nothing was kept";
  await expect(deliver(entryOf("a"))).rejects.toThrow(message);
});

test("the browser is requested to keep the entries, and to send them in the background", async () => {
  const persist = vi.fn(async () => true);
  const register = vi.fn(async () => {});
  vi.stubGlobal("navigator", {
    locks: navigator.locks,
    storage: { persisted: async () => false, persist },
    serviceWorker: { getRegistration: async () => ({ sync: { register } }) },
  });
  await keep(entryOf("a"));
  await vi.waitFor(() => expect(persist).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(register).toHaveBeenCalledWith("quartermaster-outbox"));
});

test("all tabs hear of what changes", async () => {
  const announced: string[] = [];
  const unsubscribe = subscribe(({ type }) => announced.push(type));
  server.before = () => "no reply";
  await keep(entryOf("a"));
  await replace("a", entryOf("b"));
  await remove("b");
  expect(announced.filter((type) => type === "changed").length).toBeGreaterThanOrEqual(3);
  unsubscribe();
  expect(readHint()).toBeNull();
});

test("another tab hears of it by the channel", async () => {
  const other = new BroadcastChannel("quartermaster-outbox");
  const message = new Promise((resolve) => {
    other.onmessage = ({ data }) => resolve(data);
  });
  announce({ type: "changed" });
  expect(await message).toEqual({ type: "changed" });
  other.close();
});

test("sending one now sends those before it, too", async () => {
  const later = Date.now() + 60_000;
  await store.put({ ...entryOf("a"), nextAt: later }, []);
  await store.put({ ...entryOf("b"), nextAt: later }, []);
  await store.put({ ...entryOf("c"), nextAt: later }, []);
  await sendNow("b");
  expect(server.sent()).toEqual(["/do/a", "/do/b"]);
});

test("a conflict may be sent again", async () => {
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  await sendNow("a");
  expect(await entry("a")).toBeNull();
});

test("what was made long ago is sent once its person has confirmed it", async () => {
  const isConfirmed = (headers: Record<string, string>) => headers["Outbox-Confirmed"] === "1";
  server.before = ({ path, headers }) =>
    path === "/do/a" && !isConfirmed(headers) ? refusal(422, "made_long_ago") : undefined;
  expect(await deliver(entryOf("a"))).toMatchObject({ state: "refused" });
  await confirmAndSend(entryOf("a"));
  expect([...server.made.keys()]).toEqual(["a"]);
});

test("the age of an entry is that of the server's clock, whatever became of this one", async () => {
  const now = Date.now();
  // The clock was a day ahead when it was made, ten minutes ago, and is right now.
  await store.put({ ...entryOf("a"), madeAt: now + 85_800_000, clockOffset: -86_400_000 }, []);
  await sendNow();
  const age = Number(server.calls.find(({ path }) => path === "/do/a")?.headers["Outbox-Age"]);
  expect(age).toBeGreaterThanOrEqual(599);
  expect(age).toBeLessThan(660);
});

test("the reason of a discarded conflict is sent to the server first", async () => {
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  await discard("a", "It was broken");
  const [post] = server.calls.filter(({ path }) => path === "/outbox/discarded");
  expect(JSON.parse(post?.body ?? "{}")).toMatchObject({ entry: "a", reason: "It was broken" });
  expect(await entry("a")).toBeNull();
});

test("a discard tells its version, and when the entry was made by the server's clock", async () => {
  const madeAt = Date.now() + 85_800_000;
  const conflict = {
    ...entryOf("a"),
    state: "conflict" as const,
    madeAt,
    clockOffset: -86_400_000,
  };
  await store.put(conflict, []);
  await discard("a", "It was broken");
  const post = server.calls.find(({ path }) => path === "/outbox/discarded");
  const age = Number(post?.headers["Outbox-Age"]);
  expect(age).toBeGreaterThanOrEqual(599);
  expect(age).toBeLessThan(660);
  expect(post?.headers["Outbox-Schema"]).toBe("2");
});

test.each([
  ["discarded", null, "sent or discarded meanwhile"],
  ["sent again", "waiting" as const, "may have been sent"],
])("a conflict that was %s in another tab isn't discarded", async (_, state, message) => {
  if (state) await store.put({ ...entryOf("a"), state }, []);
  await expect(discard("a", "It was broken")).rejects.toThrow(message);
  expect(server.calls).toEqual([]);
});

test("a conflict is discarded while nobody sends", async () => {
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  const steps: string[] = [];
  server.before = ({ path }) => {
    steps.push(path);
    return undefined;
  };
  const request = async (_: string, work: () => Promise<unknown>) => {
    steps.push("nobody sends");
    await work();
    steps.push((await entry("a")) ? "kept" : "removed");
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await discard("a", "It was broken");
  expect(steps).toEqual(["nobody sends", "/session", "/outbox/discarded", "removed"]);
});

test.each([
  ["sent", null, store.NotWaiting],
  ["sent without a reply", { isUnanswered: true }, store.MayHaveArrived],
])("what was %s since its person saw the question isn't discarded", async (_, changes, refused) => {
  if (changes) await store.put({ ...entryOf("a"), ...changes }, []);
  await expect(discardUnsent(entryOf("a"))).rejects.toBeInstanceOf(refused);
  expect(await entry("a")).toEqual(changes ? expect.anything() : null);
});

test("an entry that can't be removed isn't reported as discarded", async () => {
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  vi.spyOn(IDBObjectStore.prototype, "delete").mockImplementation(() => {
    throw new DOMException("", "UnknownError");
  });
  await expect(discard("a", "It was broken")).rejects.toBeInstanceOf(NotKept);
  expect(await entry("a")).not.toBeNull();
});

test.each([
  ["without a line", () => "no reply" as const, "No connection."],
  ["signed out", () => refusal(401), "Sign in as k.lee first."],
  [
    "refused",
    ({ path }: { path: string }) => (path === "/session" ? undefined : refusal(422)),
    "Refused with 422",
  ],
  [
    "cut off",
    ({ path }: { path: string }) => (path === "/session" ? undefined : ("no reply" as const)),
    "No connection.",
  ],
])("%s, a conflict can't be discarded", async (_, before, message) => {
  server.before = before;
  await store.put({ ...entryOf("a"), state: "conflict" }, []);
  await expect(discard("a", "It was broken")).rejects.toThrow(message);
  expect(await entry("a")).not.toBeNull();
});

test("the worker sends, and has the browser try again what is left", async () => {
  await store.put(entryOf("a"), []);
  await sendInBackground();
  expect(await entry("a")).toBeNull();
  await store.put(entryOf("b"), []);
  server.before = () => "no reply";
  await expect(sendInBackground()).rejects.toThrow();
  server.before = ({ path }) => (path === "/do/b" ? refusal(503) : undefined);
  await expect(sendInBackground()).rejects.toThrow();
});

test("the browser gets no word that all is sent while something waits for its time", async () => {
  await store.put({ ...entryOf("a"), nextAt: Date.now() + 60_000 }, []);
  await expect(sendInBackground()).rejects.toThrow();
  await store.update("a", () => ({ state: "conflict" }));
  await sendInBackground();
});

test("the worker doesn't try for somebody who isn't signed in", async () => {
  await store.put(entryOf("a"), []);
  server.user = null;
  await sendInBackground();
  expect(await entry("a")).not.toBeNull();
});
