import { afterEach, expect, test, vi } from "vitest";
import { renewSession } from "./session";

afterEach(() => vi.unstubAllGlobals());

test.each([
  [200, "renewed"],
  [401, "refused"],
  [403, "refused"],
  [503, "unreachable"],
])("a reply of %i means %s", async (status, renewal) => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status })));
  expect(await renewSession()).toBe(renewal);
});

test("a line that drops says nothing about the session", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await renewSession()).toBe("unreachable");
});

test("requests that ask together renew once, with our token", async () => {
  document.body.innerHTML = '<input type="hidden" name="csrf_token" value="token">';
  const fetched = vi.fn((_: string, init: RequestInit) =>
    Promise.resolve(new Response("{}", { status: init.method === "POST" ? 200 : 405 })),
  );
  vi.stubGlobal("fetch", fetched);
  expect(await Promise.all([renewSession(), renewSession()])).toEqual(["renewed", "renewed"]);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ "X-CSRFToken": "token" });
});
