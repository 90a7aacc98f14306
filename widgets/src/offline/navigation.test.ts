// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Navigation, respond, WAIT_MS } from "./navigation";
import { basic, ours } from "./testing";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});
const cut = () => Promise.reject(new TypeError("Failed to fetch"));

/** Opens a page that the shell can show; returns the text of what is shown, '' for nothing. */
async function open(navigation: Partial<Navigation>, ms = 0): Promise<string> {
  const reply = respond({
    load: async () => ours("live"),
    canOpen: async () => true,
    shell: async () => ours("shell"),
    ...navigation,
  }).then((response) => response.text());
  const waited = vi.advanceTimersByTimeAsync(ms).then(() => "");
  return Promise.race([reply, waited.then(() => Promise.race([reply, Promise.resolve("")]))]);
}

test("the server's page is shown as long as it comes soon", async () => {
  const later = (ms: number) => () =>
    new Promise<Response>((done) => setTimeout(() => done(ours("live")), ms));
  expect(await open({})).toBe("live");
  expect(await open({ load: later(WAIT_MS - 1) }, WAIT_MS - 1)).toBe("live");
});

test("on a bad line the shell is shown after a while, but only where it can show the page", async () => {
  expect(await open({ load: never }, WAIT_MS - 1)).toBe("");
  expect(await open({ load: never }, WAIT_MS)).toBe("shell");
  expect(await open({ load: never, canOpen: async () => false }, 10 * WAIT_MS)).toBe("");
  expect(await open({ load: never, canOpen: cut }, 10 * WAIT_MS)).toBe("");
});

test("without a line the shell is shown at once, for every page", async () => {
  expect(await open({ load: cut })).toBe("shell");
  expect(await open({ load: cut, canOpen: async () => false })).toBe("shell");
  expect(await open({ load: cut, canOpen: never })).toBe("shell");
});

test("a page of somebody else's server isn't taken for ours", async () => {
  const portal = async () => basic(new Response("Welcome to CafeNet"));
  expect(await open({ load: portal })).toBe("shell");
  expect(await open({ load: portal, canOpen: async () => false })).toBe("Welcome to CafeNet");
  const redirect = async () =>
    Object.defineProperty(new Response("to the sign-in"), "type", { value: "opaqueredirect" });
  expect(await open({ load: redirect })).toBe("to the sign-in");
});

test("without a shell the browser says itself that there is no connection", async () => {
  const lost = respond({ load: cut, canOpen: async () => true, shell: async () => undefined });
  await expect(lost).rejects.toThrow("Failed to fetch");
});
