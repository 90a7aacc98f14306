import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, call, failureMessage, NoConnection, SignedOut } from "./api";
import type { Schemas } from "./openapi";
import { type Answer, RENEWED, recordNavigations, SIGN_IN, serve } from "./testing";

beforeEach(() => {
  document.body.innerHTML = '<input type="hidden" name="csrf_token" value="token">';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const BULK: Schemas["BulkBody"] = {
  action: "delivery",
  date: "2026-11-21",
  lines: [{ name: "Globe", qty: 3 }],
};
const deliver = (key = "k") =>
  call("POST", "/api/gfm/inventory/{site}/bulk", { path: { site: "main" }, body: BULK, key });
const list = () => call("GET", "/api/gfm/inventory/{site}", { path: { site: "main" } });
const vehicles = () => call("GET", "/api/fleet/vehicles");
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
const NO_ROUTE: Answer = {
  status: 404,
  body: { error: "There is nothing at this address.", code: "no_such_route" },
};

test("a change is sent with the CSRF token and its idempotency key", async () => {
  const requests = serve(() => ({ body: { operation: 12, lines: [] } }));
  expect(await deliver()).toEqual({ operation: 12, lines: [] });
  expect(requests).toEqual([
    { method: "POST", url: "/api/gfm/inventory/main/bulk", token: "token", key: "k", body: BULK },
  ]);
});

test("parameters of the path and the query are escaped", async () => {
  const requests = serve(() => ({ body: [] }));
  await call("GET", "/api/fleet/entries/{plate}", {
    path: { plate: "A/1 B" },
    query: { limit: 5, cursor: "a&b" },
  });
  expect(requests[0]?.url).toBe("/api/fleet/entries/A%2F1%20B?limit=5&cursor=a%26b");
});

test("an error has the server's message, fields and body", async () => {
  serve(() => ({
    status: 422,
    body: { error: "No.", fields: { date: "Please pick a date." }, moved: [] },
  }));
  const error = (await failureOf(deliver())) as ApiError;
  expect(error).toBeInstanceOf(ApiError);
  expect([error.status, error.message, error.fields]).toEqual([
    422,
    "No.",
    { date: "Please pick a date." },
  ]);
  expect(error.body).toHaveProperty("moved");
});

test.each<[string, Answer]>([
  ["a dropped connection", "no connection"],
  ["a gateway's own error", { status: 502, text: "<h1>Bad gateway</h1>" }],
  ["a hotel's sign-in page", { status: 200, text: "<h1>Welcome</h1>" }],
  ["a proxy that requires its own sign-in", { status: 401, text: "<h1>Proxy</h1>" }],
])("after %s the result is uncertain, and the page is not left", async (_, answer) => {
  const navigations = recordNavigations();
  serve(() => answer);
  const error = await failureOf(deliver());
  expect(error).toBeInstanceOf(NoConnection);
  expect(failureMessage(error, "Failed")).toBe(
    "Failed. No connection. Nothing is lost. Try again; the change is made only once.",
  );
  expect(failureMessage(error, "Failed to load", false)).toBe(
    "Failed to load. No connection. Try again.",
  );
  expect(navigations).toEqual([]);
});

test("a change without a reply in time is aborted, and sent only once", async () => {
  vi.useFakeTimers();
  const requests = serve(() => "silence");
  const failure = failureOf(deliver());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await failure).toBeInstanceOf(NoConnection);
  expect(requests).toHaveLength(1);
});

test("a renewal without a reply in time is aborted too", async () => {
  vi.useFakeTimers();
  serve(({ url }) => (url === "/session/renew" ? "silence" : SIGN_IN));
  const failure = failureOf(deliver());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await failure).toBeInstanceOf(NoConnection);
});

test("an expired session is renewed once, and the call repeated under the same key", async () => {
  let ended = true;
  const requests = serve(({ url }) => {
    if (url !== "/session/renew") return ended ? SIGN_IN : { body: { operation: 12, lines: [] } };
    ended = false;
    return RENEWED;
  });
  expect(await deliver()).toEqual({ operation: 12, lines: [] });
  expect(requests.map(({ url, key }) => [url, key])).toEqual([
    ["/api/gfm/inventory/main/bulk", "k"],
    ["/session/renew", undefined],
    ["/api/gfm/inventory/main/bulk", "k"],
  ]);
});

test("calls that find the session expired at the same time share one renewal", async () => {
  let ended = true;
  const requests = serve(({ url }) => {
    if (url !== "/session/renew") return ended ? SIGN_IN : { body: [] };
    ended = false;
    return RENEWED;
  });
  expect(await Promise.all([list(), vehicles()])).toEqual([[], []]);
  expect(requests.filter(({ url }) => url === "/session/renew")).toHaveLength(1);
});

test.each<[string, Answer, number]>([
  ["a session that can't be renewed", SIGN_IN, 2],
  ["a session that is refused although it was renewed", RENEWED, 3],
])("%s leads to the sign-in", async (_, renewal, times) => {
  const navigations = recordNavigations();
  const requests = serve(({ url }) => (url === "/session/renew" ? renewal : SIGN_IN));
  expect(await failureOf(list())).toBeInstanceOf(SignedOut);
  expect(navigations).toEqual([expect.stringMatching(/^\/login\?next=/)]);
  expect(requests).toHaveLength(times);
});

test("an error without a message gets our default message", async () => {
  serve(() => ({ status: 404, text: "not found" }));
  expect(failureMessage(await failureOf(list()), "Bulk update failed")).toBe("Bulk update failed");
});

test.each([403, 405, 501])(
  "a refusal by the network (%d) says so, and what to try",
  async (status) => {
    serve(() => ({ status, text: "<h1>Blocked</h1>" }));
    const error = await failureOf(deliver());
    expect(failureMessage(error, "Submit failed")).toBe(
      "Submit failed. The network refuses this. Nothing is lost: try another network, or try again later.",
    );
    expect(failureMessage(error, "Failed to load", false)).toBe("Failed to load");
    serve(() => ({ status, body: { error: "Not for you." } }));
    expect(failureMessage(await failureOf(deliver()), "Submit failed")).toBe("Not for you.");
  },
);

test("a call to a missing route is sent again without the division's prefix", async () => {
  const requests = serve(({ url }) => (url === "/api/vehicles" ? { body: [] } : NO_ROUTE));
  expect(await vehicles()).toEqual([]);
  expect(requests.map(({ url }) => url)).toEqual(["/api/fleet/vehicles", "/api/vehicles"]);
});

test.each<[string, Answer]>([
  ["a record that doesn't exist", { status: 404, body: { error: "There is no such vehicle." } }],
  ["a foreign 404", { status: 404, text: "<h1>Not found</h1>" }],
])("%s is not requested without the prefix", async (_, answer) => {
  const requests = serve(() => answer);
  expect(await failureOf(vehicles())).toBeInstanceOf(ApiError);
  expect(requests).toHaveLength(1);
});

test("stock is never requested without its prefix, which could reach another division's", async () => {
  const requests = serve(() => NO_ROUTE);
  expect(await failureOf(list())).toBeInstanceOf(ApiError);
  expect(await failureOf(call("GET", "/api/fleet/history"))).toBeInstanceOf(ApiError);
  expect(requests).toHaveLength(2);
});

test("a list that a busy server refuses for a moment is requested once more", async () => {
  vi.useFakeTimers();
  const busy: Answer = {
    status: 503,
    body: { error: "The database is busy." },
    headers: { "Retry-After": "5" },
  };
  const answers: Answer[] = [busy, { body: [] }, busy, busy];
  const requests = serve(() => answers.shift() ?? "no connection");
  const first = list();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(await first).toEqual([]);
  const second = failureOf(list());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(failureMessage(await second, "Failed to load")).toBe("The database is busy.");
  expect(requests).toHaveLength(4);
});

test.each([
  ["a change", deliver, "5"],
  ["a list after more than the maximum wait", list, "60"],
])("%s is not sent again automatically", async (_, send, wait) => {
  const requests = serve(() => ({
    status: 429,
    body: { error: "Too many." },
    headers: { "Retry-After": wait },
  }));
  expect(failureMessage(await failureOf(send()), "Failed")).toBe("Too many.");
  expect(requests).toHaveLength(1);
});
