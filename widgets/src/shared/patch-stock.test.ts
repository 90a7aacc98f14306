import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ApiError, failureMessage, NoConnection } from "./api";
import { type Patch, patchStock } from "./patch-stock";
import { type Answer, ITEMS, type SentRequest, serve } from "./testing";

const PLACE = { division: "gfm", site: "main" } as const;
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
  body: { error: "The list has changed since. Load it again." },
};
const UNCHANGED = ITEMS.slice(1);

let requests: SentRequest[];
/** Queued replies to POSTs of the whole list; success when empty. */
let answers: Answer[];
let amount: number;
let patched: Answer;
let keys = 0;

beforeEach(() => {
  keys += 1;
  answers = [];
  amount = 129;
  patched = { status: 405, text: "<h1>Method not allowed</h1>" };
  requests = serve(({ method }) => {
    if (method === "PATCH") return patched;
    if (method === "GET")
      return {
        body: [{ ...ITEMS[0], amount }, ...UNCHANGED],
        headers: { ETag: `"gfm-main-${amount}"` },
      };
    return answers.shift() ?? { body: { added: 0, changed: 1, unchanged: 3, removed: 0 } };
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const apply = (patch = PATCH) => patchStock(PLACE, patch, { key: `key-${keys}`, seconds: 60 });
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
const methods = () => requests.map(({ method }) => method);
const whole = (counted: number) => [{ ...ITEMS[0], amount: counted }, ...UNCHANGED];

test("where the network allows PATCH, only the patch is sent", async () => {
  patched = { body: { operation: 12, items: [] } };
  expect(await apply()).toBe(12);
  expect(requests).toMatchObject([{ method: "PATCH", url: LIST, body: PATCH, key: `key-${keys}` }]);
});

test.each<[string, Answer]>([
  ["405", { status: 405, text: "<h1>Method not allowed</h1>" }],
  ["501", { status: 501, text: "" }],
])(
  "where the network refuses PATCH with %s, the whole list is sent instead, based on the one read",
  async (_, answer) => {
    patched = answer;
    expect(await apply()).toBeNull();
    expect(methods()).toEqual(["PATCH", "GET", "POST"]);
    expect(requests[2]).toMatchObject({
      url: REPLACED,
      body: whole(125),
      match: '"gfm-main-129"',
      key: `key-${keys}`,
    });
  },
);

test.each<[string, Answer]>([
  ["a dropped connection", "no connection"],
  ["a gateway's error", { status: 502, text: "" }],
  ["a refusal", { status: 409, body: { error: "Not enough stock." } }],
  ["a missing record", { status: 404, body: { error: "No such site." } }],
])("%s never sends the whole list", async (_, answer) => {
  patched = answer;
  expect(await failureOf(apply())).toBeInstanceOf(Error);
  expect(methods()).toEqual(["PATCH"]);
});

test("a patch without a reply in time never sends the whole list", async () => {
  vi.useFakeTimers();
  patched = "silence";
  const failure = failureOf(apply());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failure).toBeInstanceOf(NoConnection);
  expect(methods()).toEqual(["PATCH"]);
});

test("stale stock gives the server's message", async () => {
  amount = 64;
  const error = (await failureOf(apply())) as ApiError;
  expect([error.status, error.message]).toEqual([
    409,
    'Stock changed meanwhile: "red HEART holder" has 64 now, not 129.',
  ]);
  expect(error.body).toMatchObject({
    moved: [{ id: "red HEART holder", expected: 129, amount: 64 }],
  });
  expect(methods()).toEqual(["PATCH", "GET"]);
});

test("a list that changed before it was replaced is read again, once", async () => {
  answers = [STALE];
  expect(await apply()).toBeNull();
  expect(methods()).toEqual(["PATCH", "GET", "POST", "GET", "POST"]);
  requests.length = 0;
  answers = [STALE, STALE];
  expect(failureMessage(await failureOf(apply()), "Failed")).toBe(
    "The list has changed since. Load it again.",
  );
  expect(methods()).toEqual(["PATCH", "GET", "POST", "GET", "POST"]);
});

test("a whole list whose reply was lost is resent unchanged", async () => {
  answers = ["no connection"];
  expect(await failureOf(apply())).toBeInstanceOf(NoConnection);
  amount = 125;
  expect(await apply()).toBeNull();
  const [first, second] = requests.filter(({ method }) => method === "POST");
  expect(second).toEqual(first);
});

test("a list without an ETag is not replaced", async () => {
  serve(({ method }) => (method === "GET" ? { body: ITEMS } : patched));
  expect(await failureOf(apply())).toMatchObject({ status: 405 });
});
