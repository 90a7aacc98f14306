import { afterEach, expect, test, vi } from "vitest";
import { renewSession } from "./session";
import { RENEWED, SIGN_IN } from "./testing";

afterEach(() => vi.unstubAllGlobals());

const OURS = JSON.stringify(RENEWED.body);
const REFUSED = JSON.stringify(SIGN_IN.body);

test.each([
  [200, OURS, "renewed"],
  [401, REFUSED, "refused"],
  [403, REFUSED, "refused"],
  [400, REFUSED, "stale"],
  [429, REFUSED, "unreachable"],
  [404, REFUSED, "unreachable"],
  [503, REFUSED, "unreachable"],
  [200, "<h1>Welcome to our hotel</h1>", "unreachable"],
  [200, "{}", "unreachable"],
  [403, "<h1>Proxy</h1>", "unreachable"],
])("a reply of %i with %s means %s", async (status, text, renewal) => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(text, { status })));
  expect(await renewSession()).toBe(renewal);
});

test("after a dropped connection, the session may still be valid", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await renewSession()).toBe("unreachable");
});

test("simultaneous requests share one renewal, with the CSRF token", async () => {
  document.body.innerHTML = '<input type="hidden" name="csrf_token" value="token">';
  const fetched = vi.fn((_: string, init: RequestInit) =>
    Promise.resolve(new Response(OURS, { status: init.method === "POST" ? 200 : 405 })),
  );
  vi.stubGlobal("fetch", fetched);
  expect(await Promise.all([renewSession(), renewSession()])).toEqual(["renewed", "renewed"]);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ "X-CSRFToken": "token" });
});
