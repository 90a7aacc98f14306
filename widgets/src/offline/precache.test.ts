import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Build, deleteAll, deleteOld, findBuilt, findRendered, install } from "./precache";
import { basic, type MemoryCaches, ours, ownFile, serve, startCaches } from "./testing";

const FILES = [
  "/static/built/app-A.css",
  "/static/built/offline-B.js",
  "/static/built/count-C.css",
];
const BUILD: Build = { version: "one", files: FILES, standIns: [] };
const SHELL = `<link href="/static/built/app-A.css"><div data-src="/static/built/offline-B.js">`;

let caches: MemoryCaches;

beforeEach(() => {
  caches = startCaches();
});
afterEach(() => void vi.unstubAllGlobals());

const online = (path: string) =>
  ownFile(path, path.startsWith("/offline") ? SHELL : `file ${path}`);
const textOf = async (response: Response | undefined) => (await response?.text()) ?? "";

test("a build's files, the shell and the dialog are kept", async () => {
  serve(online);
  await install(BUILD);
  expect(await textOf(await findBuilt(`http://localhost${FILES[1]}`))).toBe(`file ${FILES[1]}`);
  expect(await textOf(await findRendered(BUILD, "/offline"))).toBe(SHELL);
  expect(await findBuilt("/static/built/other-D.js")).toBeUndefined();
});

test("a script that pages load in one request is imported from what is kept", async () => {
  const requested = serve(online);
  await install({ ...BUILD, standIns: [["moves-D.js", "offline-B.js"]] });
  const script = await findBuilt("/static/built/moves-D.js");
  expect(script?.headers.get("Content-Type")).toBe("text/javascript");
  expect(await textOf(script)).toBe('export * from "./offline-B.js";');
  expect(requested).not.toContain("/static/built/moves-D.js");
});

test("on a bad line the next installation goes on where the last one failed", async () => {
  serve((path) => (path === FILES[2] ? null : online(path)));
  await expect(install(BUILD)).rejects.toThrow();
  expect(await findRendered(BUILD, "/offline")).toBeUndefined();
  const requested = serve(online);
  await install(BUILD);
  expect(requested).toEqual([FILES[2], "/offline", "/offline/move-stock"]);
});

test("what an older build has isn't fetched again, but what the server renders is", async () => {
  serve(online);
  await install(BUILD);
  const requested = serve(online);
  await install({ ...BUILD, version: "two", files: [...FILES, "/static/built/new-D.js"] });
  expect(requested).toEqual(["/static/built/new-D.js", "/offline", "/offline/move-stock"]);
});

test("nothing is kept but whole files of our server", async () => {
  const portal = basic(new Response("Welcome", { status: 200 }));
  const wrong = {
    missing: ours("", { status: 404 }),
    redirected: Object.defineProperty(ownFile("a.css", "portal"), "redirected", { value: true }),
    foreign: Object.defineProperty(ownFile("a.css", "foreign"), "type", { value: "cors" }),
    part: ours("part", { status: 206 }),
    portal,
    "a page with our header": ownFile("/offline", "Welcome"),
    "a script without our header": basic(
      new Response("alert()", { headers: { "Content-Type": "text/css" } }),
    ),
  };
  for (const [name, response] of Object.entries(wrong)) {
    startCaches();
    serve((path) => (path === FILES[0] ? response : online(path)));
    await expect(install(BUILD), name).rejects.toThrow();
    expect(await findBuilt(FILES[0] ?? ""), name).toBeUndefined();
  }
  startCaches();
  serve((path) => (path === "/offline" ? portal : online(path)));
  await expect(install(BUILD)).rejects.toThrow();
});

test.each(["/offline", "/offline/move-stock"])(
  "%s of another build is refused",
  async (rendered) => {
    const other = `<script src="/static/built/offline-Z.js">`;
    serve((path) => (path === rendered ? ownFile(path, other) : online(path)));
    await expect(install(BUILD)).rejects.toThrow("another build");
    expect(await findRendered(BUILD, rendered)).toBeUndefined();
  },
);

test("a full disk breaks nothing but the installation", async () => {
  serve(online);
  caches.room = 1;
  await expect(install(BUILD)).rejects.toThrow();
  vi.stubGlobal("caches", {
    open: () => Promise.reject(new DOMException("", "UnknownError")),
    match: () => Promise.reject(new DOMException("", "UnknownError")),
  });
  expect(await findBuilt(FILES[0] ?? "")).toBeUndefined();
  expect(await findRendered(BUILD, "/offline")).toBeUndefined();
});

test("the last builds stay, for the pages that are open, and nothing of others is touched", async () => {
  serve(online);
  await caches.open("somebody-elses");
  for (const version of ["one", "two", "three", "four"]) await install({ ...BUILD, version });
  await deleteOld({ ...BUILD, version: "four" });
  expect(await caches.keys()).toEqual([
    "somebody-elses",
    "quartermaster-two",
    "quartermaster-three",
    "quartermaster-four",
  ]);
  await deleteOld({ ...BUILD, version: "two" });
  expect(await caches.keys()).toHaveLength(4);
  await deleteAll();
  expect(await caches.keys()).toEqual(["somebody-elses"]);
});
