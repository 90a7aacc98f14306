// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../outbox/database";
import { loadPerson, storePerson } from "./person";
import {
  giveReference,
  type MemoryCaches,
  moveOf,
  ours,
  ownFile,
  PERSON,
  REFERENCE,
  serve,
  startCaches,
} from "./testing";

const ORIGIN = "https://stock.example";
const SHELL = `<link href="/static/built/app-A.css">`;
const BUILD = { version: "one", files: ["/static/built/app-A.css"], standIns: [] };

/** The global scope of a service worker, whose events the test dispatches. */
class Scope {
  readonly location = new URL(ORIGIN);
  readonly clients = { claim: vi.fn(async () => {}) };
  readonly registration = {
    navigationPreload: { enable: vi.fn(async () => {}) },
    unregister: vi.fn(async () => true),
  };
  readonly skipWaiting = vi.fn(async () => {});
  private readonly listeners = new Map<string, (event: object) => void>();

  addEventListener = (name: string, listener: (event: object) => void) =>
    void this.listeners.set(name, listener);

  /** Dispatches an event; returns the reply, if any, once all that it began has ended. */
  async dispatch(name: string, event: object = {}): Promise<Response | undefined> {
    const work: Promise<unknown>[] = [];
    let reply: Promise<Response> | undefined;
    this.listeners.get(name)?.({
      ...event,
      waitUntil: (promise: Promise<unknown>) => work.push(promise),
      respondWith: (response: Promise<Response>) => {
        reply = response;
      },
    });
    await Promise.all(work);
    return reply;
  }
}

let caches: MemoryCaches;
let scope: Scope;

async function start(script: "worker" | "no-worker"): Promise<void> {
  vi.resetModules();
  scope = new Scope();
  vi.stubGlobal("self", scope);
  vi.stubGlobal("BUILD", BUILD);
  await (script === "worker" ? import("./worker") : import("./no-worker"));
}

const online = (path: string) =>
  ownFile(path, path.startsWith("/offline") ? SHELL : `file ${path}`);

/** Opens an address as a page; returns the text of what is shown. */
async function open(path: string, options: object = {}): Promise<string> {
  const request = { url: ORIGIN + path, method: "GET", mode: "navigate", ...options };
  const reply = await scope.dispatch("fetch", { request, preloadResponse: Promise.resolve() });
  return reply ? reply.text() : "not ours";
}

beforeEach(async () => {
  vi.stubGlobal("navigator", {});
  caches = startCaches();
  serve(online);
  await storePerson(PERSON);
  await start("worker");
  await scope.dispatch("install");
});
afterEach(() => void vi.unstubAllGlobals());

test("it takes over once its files are there", async () => {
  expect(scope.skipWaiting).toHaveBeenCalled();
  await scope.dispatch("activate");
  expect(scope.clients.claim).toHaveBeenCalled();
  expect(scope.registration.navigationPreload.enable).toHaveBeenCalled();
  expect(await caches.keys()).toEqual(["quartermaster-one"]);
});

test("pages come from the server, and without a line from the shell", async () => {
  serve(() => ours("live"));
  expect(await open("/dashboard")).toBe("live");
  serve(() => null);
  expect(await open("/dashboard")).toBe(SHELL);
  expect(await open("/inventory/main")).toBe(SHELL);
});

test("what the browser has begun to load meanwhile is used", async () => {
  const preloadResponse = Promise.resolve(ours("preloaded"));
  const request = { url: `${ORIGIN}/dashboard`, method: "GET", mode: "navigate" };
  const reply = await scope.dispatch("fetch", { request, preloadResponse });
  expect(await reply?.text()).toBe("preloaded");
});

test("on a bad line the shell shows what was read, for its person", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const visible = async (path: string) => {
    let reply = (_: Response): void => {};
    const live = new Promise<Response>((done) => {
      reply = done;
    });
    vi.stubGlobal("fetch", () => live);
    const opened = open(path);
    await vi.advanceTimersByTimeAsync(3_000);
    // Comes after what the worker reads in the database.
    for (let reads = 0; reads < 3; reads++) await loadPerson();
    reply(ours("live"));
    return opened;
  };
  await giveReference("stock:gfm/main", REFERENCE);
  expect(await visible("/outbox")).toBe(SHELL);
  expect(await visible("/inventory/main")).toBe(SHELL);
  expect(await visible("/dashboard")).toBe("live");
  expect(await visible("/inventory/guildford")).toBe("live");
  const postMessage = vi.fn();
  const data = { type: "await", url: `${ORIGIN}/inventory/main` };
  await scope.dispatch("message", { data, ports: [{ postMessage }] });
  expect(postMessage).toHaveBeenCalledOnce();
  expect(await visible("/inventory/main")).toBe("live");
  expect(await visible("/inventory/main")).toBe(SHELL);
  await (await import("./person")).forgetPerson();
  expect(await visible("/inventory/main")).toBe("live");
  vi.useRealTimers();
});

test("built files and the dialog come from the cache, others from the server", async () => {
  serve((path) => ours(`fetched ${(path as unknown as Request).url ?? path}`));
  const load = (path: string) => open(path, { mode: "cors" });
  expect(await load("/static/built/app-A.css")).toBe("file /static/built/app-A.css");
  expect(await load("/offline/move-stock")).toBe(SHELL);
  expect(await load("/static/built/other-B.js")).toContain("fetched");
});

test("calls, forms, fragments and other sites are left alone", async () => {
  expect(await open("/api/gfm/inventory/main", { mode: "cors" })).toBe("not ours");
  expect(await open("/inventory/main", { mode: "cors" })).toBe("not ours");
  expect(await open("/inventory/main/items/7/action", { method: "POST" })).toBe("not ours");
  expect(await open("", { url: "https://elsewhere.example/" })).toBe("not ours");
});

test("whoever signs out is forgotten, even if the sign-in page never comes", async () => {
  expect(await open("/logout", { method: "POST" })).toBe("not ours");
  expect(await loadPerson()).toBeNull();
});

test("the browser's sign of a line sends the outbox", async () => {
  serve(() => null);
  await (await openDatabase()).put("entries", moveOf(5, {}));
  // Not all was sent, so that the browser tries again.
  await expect(scope.dispatch("sync", { tag: "quartermaster-outbox" })).rejects.toThrow();
  await scope.dispatch("sync", { tag: "another" });
});

test("switched off, its successor deletes the caches and itself", async () => {
  await start("no-worker");
  await scope.dispatch("install");
  await scope.dispatch("activate");
  expect(await caches.keys()).toEqual([]);
  expect(scope.registration.unregister).toHaveBeenCalled();
});
