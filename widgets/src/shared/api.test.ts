import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, call, NoConnection, sayFailure, SignedOut } from "./api";
import { type Answer, catchLeaving, serve } from "./testing";

beforeEach(() => {
  document.body.innerHTML = '<input type="hidden" name="csrf_token" value="token">';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const failureOf = (promise: Promise<unknown>) => promise.then(() => null, (error: unknown) => error);

test("a change carries our token and its key", async () => {
  const asked = serve(() => ({ body: { operation: 12 } }));
  expect(await call("POST", "/api/x", { body: { a: 1 }, key: "k" })).toEqual({ operation: 12 });
  expect(asked[0]).toMatchObject({ method: "POST", token: "token", key: "k", body: { a: 1 } });
});

test("a refusal brings the server's words, its fields and its body", async () => {
  serve(() => ({ status: 422, body: { error: "No.", fields: { date: "Please pick a date." }, moved: [] } }));
  const error = (await failureOf(call("POST", "/api/x"))) as ApiError;
  expect(error).toBeInstanceOf(ApiError);
  expect([error.status, error.message, error.fields]).toEqual([422, "No.", { date: "Please pick a date." }]);
  expect(error.body).toHaveProperty("moved");
});

test.each<[string, Answer]>([
  ["a line that drops", "no connection"],
  ["a gateway's own error", { status: 502, text: "<h1>Bad gateway</h1>" }],
  ["a hotel's sign-in page", { status: 200, text: "<h1>Welcome</h1>" }],
])("%s leaves open whether it counted", async (_, answer) => {
  serve(() => answer);
  const error = await failureOf(call("POST", "/api/x"));
  expect(error).toBeInstanceOf(NoConnection);
  expect(sayFailure(error, "Failed")).toBe("No connection. Nothing is lost: try again, it counts only once.");
  expect(sayFailure(error, "Failed to load", false)).toBe("Failed to load. No connection.");
});

test("an ended session is renewed once and the call repeated under the same key", async () => {
  let ended = true;
  const asked = serve(({ url }) => {
    if (url === "/session/renew") ended = false;
    return ended ? { status: 401, body: {} } : { body: { fine: true } };
  });
  expect(await call("PATCH", "/api/x", { key: "k" })).toEqual({ fine: true });
  expect(asked.map(({ url, key }) => [url, key])).toEqual([
    ["/api/x", "k"],
    ["/session/renew", undefined],
    ["/api/x", "k"],
  ]);
});

test("a session that can't be renewed leads to the sign-in", async () => {
  const led = catchLeaving();
  serve(() => ({ status: 401, body: {} }));
  expect(await failureOf(call("GET", "/api/x"))).toBeInstanceOf(SignedOut);
  expect(led[0]).toMatch(/^\/login\?next=/);
});

test("a refusal without words is told in ours", async () => {
  serve(() => ({ status: 404, text: "not found" }));
  expect(sayFailure(await failureOf(call("GET", "/api/x")), "Bulk update failed")).toBe("Bulk update failed");
});
