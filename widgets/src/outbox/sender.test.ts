import { expect, test, vi } from "vitest";
import { deliver, entry, keep, sendNow } from ".";
import { sendDue } from "./sender";
import * as store from "./store";
import { entryOf, PORTAL, refusal, server, startServers } from "./testing";

startServers();

const FORM = { method: "POST" as const, url: "/do/a", form: [["key", "a"]] as [string, string][] };

/** Puts entries in the database without sending them. */
async function given(...names: (string | ReturnType<typeof entryOf>)[]): Promise<void> {
  for (const name of names) await store.put(typeof name === "string" ? entryOf(name) : name, []);
}

const states = async () => (await store.all()).map(({ id, state }) => `${id} ${state}`);

test("what the server took is removed, and remembered as sent", async () => {
  await given("a");
  await sendDue();
  expect(await store.all()).toEqual([]);
  expect(await store.sentBy(3)).toMatchObject([{ id: "a", reply: { message: "Made /do/a" } }]);
  expect(server.calls[1]?.headers).toMatchObject({
    "Idempotency-Key": "a",
    "Outbox-User": "3",
    "Outbox-Schema": "2",
    "Outbox-Age": "0",
    "X-CSRFToken": "token-1",
  });
});

test("a form is sent as a page sends it, with its key among its fields", async () => {
  const form: [string, string][] = [
    ["action", "withdrawal"],
    ["quantity", "5"],
    ["key", "a"],
  ];
  await given(entryOf("a", { request: { method: "POST", url: "/do/a", form } }));
  await sendDue();
  expect(server.calls[1]?.body).toBe("action=withdrawal&quantity=5&key=a");
  expect(server.calls[1]?.headers).not.toHaveProperty("Idempotency-Key");
});

test("a form is sent before a division is chosen: its address names its own", async () => {
  server.chosen = null;
  expect(await deliver(entryOf("a", { request: FORM }))).toMatchObject({ state: "sent" });
});

test("entries of a subject are sent in their order, whatever the clock showed", async () => {
  await given("a", entryOf("b", { madeAt: Date.now() - 86_400_000 }), "c");
  await sendDue();
  expect(server.sent()).toEqual(["/do/a", "/do/b", "/do/c"]);
});

test("subjects are sent side by side, three at once", async () => {
  let [open, most] = [0, 0];
  server.before = async ({ path }) => {
    if (!path.startsWith("/do/")) return undefined;
    open += 1;
    most = Math.max(most, open);
    await vi.waitFor(() => expect(server.sent().length).toBeGreaterThanOrEqual(3));
    open -= 1;
    return undefined;
  };
  await given(..."abcde".split("").map((name) => entryOf(name, { subject: name })));
  await sendDue();
  expect(most).toBe(3);
  expect(server.made.size).toBe(5);
});

test("a failed entry keeps its subject waiting, and nobody else", async () => {
  server.before = ({ path }) => (path === "/do/a" ? refusal(503) : undefined);
  await given("a", "b", entryOf("c", { subject: "check:1" }));
  await sendDue();
  expect(await states()).toEqual(["a waiting", "b waiting"]);
  expect([...server.made.keys()]).toEqual(["c"]);
});

test("an entry that fails again and again blocks nothing after four replies", async () => {
  server.before = ({ path }) => (path === "/do/poison" ? refusal(500) : undefined);
  await given("poison", "b");
  for (let tries = 0; tries < 4; tries += 1) {
    expect(server.made.has("b")).toBe(false);
    await sendNow();
  }
  expect([...server.made.keys()]).toEqual(["b"]);
  expect(await states()).toEqual(["poison waiting"]);
});

test("a reply that is lost three times in a row is one change", async () => {
  let lost = 0;
  server.after = () => (lost++ < 3 ? "no reply" : undefined);
  await given("a");
  for (let tries = 1; tries <= 3; tries += 1) {
    await sendNow();
    expect(await entry("a")).toMatchObject({ state: "waiting", isUnanswered: true, tries });
  }
  await sendNow();
  expect(await entry("a")).toBeNull();
  expect([...server.made]).toEqual([["a", "/do/a"]]);
});

test.each([
  ["a portal's page", PORTAL],
  ["a portal's 511", { status: 511, text: "Sign in to the network", headers: {} }],
  ["no reply", "no reply" as const],
  ["a redirect", { status: 302, text: "", headers: { Location: "https://portal.example" } }],
])("without a line, as with %s, nothing is sent", async (_, answer) => {
  server.before = () => answer;
  await given("a");
  expect(await sendDue()).toEqual({ state: "no connection" });
  expect(await entry("a")).toMatchObject({ tries: 0, isUnanswered: false });
  expect(server.sent()).toEqual([]);
});

test("a portal that replies to a change in the server's place removes nothing", async () => {
  server.before = ({ path }) => (path === "/do/a" ? PORTAL : undefined);
  await given("a");
  await sendDue();
  expect(await entry("a")).toMatchObject({ state: "waiting", isUnanswered: true, tries: 1 });
});

test("after a request without a reply, the line is tested before the next is sent", async () => {
  let isCut = false;
  server.before = ({ path }) => {
    isCut ||= path.startsWith("/do/");
    return isCut ? "no reply" : undefined;
  };
  await given(...["a", "b", "c", "d", "e"].map((name) => entryOf(name, { subject: name })));
  expect(await sendDue()).toEqual({ state: "no connection" });
  expect(server.sent().length).toBeLessThanOrEqual(3);
});

test("nothing is sent while nobody is signed in", async () => {
  server.user = null;
  expect(await deliver(entryOf("a"))).toEqual({
    state: "waiting",
    reason: "Sign in as k.lee to send",
  });
  expect(server.sent()).toEqual([]);
});

test("nothing is sent in another's name", async () => {
  await given("a", entryOf("b", { user: 4, username: "p.ash", subject: "other" }));
  server.user = 4;
  await sendDue();
  expect([...server.made.keys()]).toEqual(["b"]);
  expect(await states()).toEqual(["a waiting"]);
});

test("another sign-in in the middle of sending stops it", async () => {
  server.before = ({ path }) => {
    if (path === "/do/b") server.user = 4;
    return undefined;
  };
  await given("a", "b", "c");
  await sendDue();
  expect([...server.made.keys()]).toEqual(["a"]);
  expect(await entry("b")).toMatchObject({ tries: 0, isUnanswered: false });
});

test("a sign-out in the middle of sending stops it", async () => {
  server.before = ({ path }) => {
    if (path === "/do/b") server.user = null;
    return undefined;
  };
  await given("a", "b", "c");
  expect(await sendDue()).toEqual({ state: "signed out" });
  expect([...server.made.keys()]).toEqual(["a"]);
});

test("an expired session is renewed first", async () => {
  server.isExpired = true;
  await given("a");
  await sendDue();
  expect([...server.made.keys()]).toEqual(["a"]);
});

test("a session that expires in the middle is renewed", async () => {
  server.before = ({ path }) => {
    if (path === "/do/a" && server.calls.length < 4) server.isExpired = true;
    return undefined;
  };
  await given("a");
  await sendDue();
  expect([...server.made.keys()]).toEqual(["a"]);
});

test("a stale token is renewed once", async () => {
  server.before = ({ path }) => {
    if (path === "/do/a" && server.calls.length === 2) server.csrf = "token-2";
    return undefined;
  };
  await given("a");
  await sendDue();
  expect([...server.made.keys()]).toEqual(["a"]);
  expect(server.sent()).toHaveLength(2);
});

test("a token that is refused again waits", async () => {
  server.before = ({ path }) => (path === "/do/a" ? refusal(400, "csrf_token_invalid") : undefined);
  await given("a");
  await sendDue();
  expect(server.sent()).toHaveLength(2);
  expect(await entry("a")).toMatchObject({ state: "waiting", tries: 1, isUnanswered: false });
});

test.each([
  [409, "conflict"],
  [412, "conflict"],
  [404, "refused"],
  [413, "refused"],
  [415, "refused"],
  [422, "refused"],
  [403, "refused"],
] as const)("a reply with %i makes it %s", async (status, state) => {
  server.before = ({ path }) =>
    path === "/do/a" ? refusal(status, "x", { fields: { quantity: "No" } }) : undefined;
  const failure = {
    status,
    code: "x",
    message: `Refused with ${status}`,
    fields: { quantity: "No" },
  };
  expect(await deliver(entryOf("a"))).toMatchObject({ state, failure });
  expect(await entry("a")).toMatchObject({ state, isUnanswered: false });
});

// The server replies after it has stored the change, and may fail in between.
test.each([
  [408, true],
  [429, false],
  [500, true],
  [502, true],
  [503, true],
  [507, true],
])(
  "after a reply with %i it waits; that it was made is possible: %s",
  async (status, isUnanswered) => {
    server.before = ({ path }) => (path === "/do/a" ? refusal(status) : undefined);
    expect(await deliver(entryOf("a"))).toMatchObject({ state: "waiting" });
    expect(await entry("a")).toMatchObject({ isUnanswered, tries: 1, answeredTries: 1 });
  },
);

test("a refusal of what may have arrived before doesn't prove that it did not", async () => {
  const answers = ["no reply" as const, refusal(404)];
  server.before = ({ path }) => (path === "/do/a" ? answers.shift() : undefined);
  await given("a");
  await sendNow();
  await sendNow();
  expect(await entry("a")).toMatchObject({ state: "refused", isUnanswered: true });
});

test.each([
  ["a call", {}, 409, "", false],
  ["a call", {}, 412, "", false],
  // The body of a call is judged before its key is looked for.
  ["a call", {}, 422, "", true],
  ["a form", { request: FORM }, 409, "", false],
  ["a form", { request: FORM }, 422, "", false],
  ["a form", { request: FORM }, 422, "made_long_ago", true],
  ["a form", { request: FORM }, 422, "key_reused", true],
  ["a form", { request: FORM }, 404, "", true],
])(
  "%s %j that may have arrived still may after a %i %s: %s",
  async (_, values, status, code, may) => {
    server.before = ({ path }) => (path === "/do/a" ? refusal(status, code) : undefined);
    await given({ ...entryOf("a", values), isUnanswered: true });
    await sendNow();
    expect(await entry("a")).toMatchObject({ isUnanswered: may, tries: 1 });
  },
);

test.each([
  ["is asked to wait", "/do/a", refusal(429), []],
  ["has a photo without a reply", "/api/photos/p", "no reply" as const, ["p"]],
])("what may have arrived still may if its next try %s", async (_, address, answer, photos) => {
  server.before = ({ path }) => (path === address ? answer : undefined);
  await given({ ...entryOf("a", { photos }), isUnanswered: true });
  await sendNow();
  expect(await entry("a")).toMatchObject({ state: "waiting", isUnanswered: true, tries: 1 });
});

test("a database that fails in the middle doesn't let go of what is being sent", async () => {
  let reply = (): void => {};
  const replied = new Promise<void>((resolve) => {
    reply = resolve;
  });
  let isRefused = false;
  server.before = async ({ path }) => {
    if (path === "/do/slow") await replied;
    return undefined;
  };
  vi.spyOn(store, "begin").mockImplementationOnce(async () => {
    await vi.waitFor(() => expect(server.sent()).toEqual(["/do/slow"]));
    isRefused = true;
    throw new store.NotKept("The disk failed.");
  });
  await given(entryOf("broken", { subject: "1" }), entryOf("slow", { subject: "2" }));
  const ends: string[] = [];
  const sending = sendDue().catch(() => ends.push("round"));
  await vi.waitFor(() => expect(isRefused).toBe(true));
  for (let reads = 0; reads < 5; reads += 1) await store.all();
  ends.push("reply");
  reply();
  await sending;
  expect(ends).toEqual(["reply", "round"]);
  expect([...server.made.keys()]).toEqual(["slow"]);
  vi.restoreAllMocks();
});

test("a server of another version keeps it waiting", async () => {
  server.before = ({ path }) => (path === "/do/a" ? refusal(422, "outbox_schema") : undefined);
  expect(await deliver(entryOf("a"))).toEqual({
    state: "waiting",
    reason: "Waits: this page is of another version of Quartermaster. Load it again.",
  });
});

test("photos are sent first, those alone that the server lacks", async () => {
  server.photos.add("/api/photos/h1");
  const data = new ArrayBuffer(3);
  const photos = ["h1", "h2"].map((hash) => ({ hash, name: `${hash}.jpg`, data }));
  await keep(entryOf("a", { kind: "check", photos: ["h1", "h2"] }), photos);
  await sendDue();
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /session",
    "HEAD /api/photos/h1",
    "HEAD /api/photos/h2",
    "PUT /api/photos/h2",
    "POST /do/a",
  ]);
  expect(await store.photosOf("a")).toEqual([]);
});

test("two tabs that send at once send once", async () => {
  await given("a", "b");
  vi.resetModules();
  const other = await import("./sender");
  await Promise.all([sendDue(), other.sendDue()]);
  expect(server.sent()).toEqual(["/do/a", "/do/b"]);
});
