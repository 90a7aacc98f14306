import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Patch } from "../shared/ops";
import { type Answer, ITEMS, type SentRequest, serve, sessionOf } from "../shared/testing";
import { deliver, entry, makeEntry, sendNow } from ".";
import { update } from "./store";
import { emptyDatabase, giveLocks } from "./testing";

const PATCH: Patch = {
  ops: [{ type: "dec", id: "red HEART holder", delta: 4, expected: 129 }],
  reason: "Stock Check 2026-11-21",
  team: "Stock Check",
  ts: "2026-11-21T12:00:00",
};
const LIST = "/api/gfm/inventory/main";
const REPLACED = `${LIST}?reason=Stock+Check+2026-11-21&team=Stock+Check&ts=2026-11-21`;
const STALE: Answer = {
  status: 412,
  body: { error: "The list has changed since. Load it again.", code: "precondition_failed" },
};
const UNCHANGED = ITEMS.slice(1);

let requests: SentRequest[];
/** Queued replies to POSTs of the whole list; success when empty. */
let answers: Answer[];
let amount: number;
let patched: Answer;
let tag: string | null;
/** What reading the list gets instead of it. */
let reads: Answer | null;

beforeEach(async () => {
  // What a page does later by itself isn't tested here.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  giveLocks();
  await emptyDatabase();
  answers = [];
  amount = 129;
  patched = { status: 405, text: "<h1>Method not allowed</h1>" };
  tag = "";
  reads = null;
  requests = serve(({ method, url }) => {
    if (url === "/session") return sessionOf(7);
    if (method === "PATCH") return patched;
    if (method === "GET")
      return (
        reads ?? {
          body: [{ ...ITEMS[0], amount }, ...UNCHANGED],
          headers: tag === null ? {} : { ETag: `"gfm-main-${amount}"` },
        }
      );
    return answers.shift() ?? { body: { added: 0, changed: 1, unchanged: 3, removed: 0 } };
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const counted = makeEntry({
  id: "key",
  user: 7,
  username: "k.lee",
  division: "gfm",
  kind: "count",
  subject: "stock:gfm/main",
  title: "Stock check of Main: 1 line",
  detail: "GFM",
  page: "/inventory/main/count",
  request: { method: "PATCH", url: LIST, json: PATCH },
  content: { site: "main" },
});
const apply = () => deliver(counted);
const stock = () => requests.filter(({ url }) => url.startsWith(LIST));
const methods = () => stock().map(({ method }) => method);
const whole = (amountNow: number) => [{ ...ITEMS[0], amount: amountNow }, ...UNCHANGED];

test("where the network allows PATCH, only the patch is sent", async () => {
  patched = { body: { operation: 12, items: [] } };
  expect(await apply()).toMatchObject({ state: "sent", reply: { operation: 12 } });
  expect(stock()).toMatchObject([{ method: "PATCH", url: LIST, body: PATCH, key: "key" }]);
});

test.each<[string, Answer]>([
  ["405", { status: 405, text: "<h1>Method not allowed</h1>" }],
  ["501", { status: 501, text: "" }],
])(
  "where the network refuses PATCH with %s, the whole list is sent instead, based on the one read",
  async (_, answer) => {
    patched = answer;
    expect(await apply()).toMatchObject({ state: "sent", reply: { changed: 1 } });
    expect(methods()).toEqual(["PATCH", "GET", "POST"]);
    expect(stock()[2]).toMatchObject({
      url: REPLACED,
      body: whole(125),
      match: '"gfm-main-129"',
      key: "key",
    });
  },
);

test.each<[string, Answer, string]>([
  ["a dropped connection", "no connection", "waiting"],
  ["a gateway's error", { status: 502, text: "" }, "waiting"],
  ["a refusal", { status: 409, body: { error: "Not enough stock." } }, "conflict"],
  ["a missing record", { status: 404, body: { error: "No such site." } }, "refused"],
])("%s never sends the whole list", async (_, answer, state) => {
  patched = answer;
  expect(await apply()).toMatchObject({ state });
  expect(methods()).toEqual(["PATCH"]);
});

test("stale stock is a conflict with the present amounts", async () => {
  amount = 64;
  expect(await apply()).toMatchObject({
    state: "conflict",
    failure: {
      message: 'Stock changed meanwhile: "red HEART holder" has 64 now, not 129.',
      body: { moved: [{ id: "red HEART holder", expected: 129, amount: 64 }] },
    },
  });
  expect(methods()).toEqual(["PATCH", "GET"]);
});

test("an item that isn't in the list refuses the count, with the reason at its line", async () => {
  const ops = [{ type: "dec" as const, id: "Kite", delta: 1 }];
  const request = { ...counted.request, json: { ...PATCH, ops } };
  expect(await deliver({ ...counted, request })).toMatchObject({
    state: "refused",
    failure: { fields: { "ops.0": 'Item not found: "Kite"' } },
  });
});

test("a list that changed before it was replaced is read again, once", async () => {
  answers = [STALE];
  expect(await apply()).toMatchObject({ state: "sent" });
  expect(methods()).toEqual(["PATCH", "GET", "POST", "GET", "POST"]);
  requests.length = 0;
  answers = [STALE, STALE];
  expect(await apply()).toMatchObject({
    state: "conflict",
    failure: { message: "The list has changed since. Load it again." },
  });
  expect(methods()).toEqual(["PATCH", "GET", "POST", "GET", "POST"]);
});

test("a whole list whose reply was lost is resent unchanged, whatever the stock is by then", async () => {
  answers = ["no connection"];
  expect(await apply()).toMatchObject({ state: "waiting" });
  amount = 125;
  await sendNow("key");
  expect(await entry("key")).toBeNull();
  const [first, second] = stock().filter(({ method }) => method === "POST");
  expect(second).toEqual(first);
});

const waiting = { state: "waiting" };
const REFUSED = { status: 405, text: "<h1>Method not allowed</h1>" };

test("a patch that may have arrived is only repeated, also where the network refuses it by then", async () => {
  patched = "no connection";
  expect(await apply()).toMatchObject(waiting);
  patched = REFUSED;
  amount = 125;
  await sendNow("key");
  expect(methods()).toEqual(["PATCH", "PATCH"]);
  expect(await entry("key")).toMatchObject({ ...waiting, isUnanswered: true });
  patched = { body: { operation: 12, items: [] } };
  await sendNow("key");
  expect(await entry("key")).toBeNull();
});

test("a whole list that may have arrived is never followed by the patch", async () => {
  answers = ["no connection"];
  expect(await apply()).toMatchObject(waiting);
  patched = { body: { operation: 12, items: [] } };
  await sendNow("key");
  expect(await entry("key")).toBeNull();
  expect(methods()).toEqual(["PATCH", "GET", "POST", "POST"]);
});

test("a list that couldn't be read leaves no doubt, and is read again", async () => {
  reads = "no connection";
  expect(await apply()).toMatchObject(waiting);
  await sendNow("key");
  expect(await entry("key")).toMatchObject({ ...waiting, isUnanswered: false });
  reads = null;
  amount = 64;
  await sendNow("key");
  expect(await entry("key")).toMatchObject({ state: "conflict", isUnanswered: false });
  expect(methods()).toEqual(["PATCH", "GET", "GET", "GET"]);
});

test("a conflict found here doesn't prove that a copy wasn't sent elsewhere", async () => {
  reads = "no connection";
  expect(await apply()).toMatchObject(waiting);
  await update("key", () => ({ isUnanswered: true, hasCopy: true }));
  reads = null;
  amount = 64;
  await sendNow("key");
  expect(await entry("key")).toMatchObject({ state: "conflict", isUnanswered: true });
});

test("that the list has changed proves that a whole list without a reply wasn't stored", async () => {
  answers = ["no connection", STALE];
  expect(await apply()).toMatchObject(waiting);
  amount = 64;
  await sendNow("key");
  expect(await entry("key")).toMatchObject({ state: "conflict", isUnanswered: false });
  expect(methods()).toEqual(["PATCH", "GET", "POST", "POST", "GET"]);
});

test("a list without an ETag is not replaced", async () => {
  tag = null;
  expect(await apply()).toMatchObject({ state: "waiting" });
  expect(methods()).toEqual(["PATCH", "GET"]);
});

test("a list that can't be read is not replaced", async () => {
  const answer = serve(({ method, url }) => {
    if (url === "/session") return sessionOf(7);
    return method === "PATCH" ? patched : "no connection";
  });
  expect(await apply()).toMatchObject({ state: "waiting" });
  expect(answer.map(({ method }) => method)).not.toContain("POST");
});
