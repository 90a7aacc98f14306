import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MOVE_DIALOG } from "./addresses";
import { PAUSE_MS } from "./own-changes";
import { loadPerson } from "./person";
import { giveReference, ours, PERSON, REFERENCE, serve, startDevice, storedNames } from "./testing";

const SESSION = { ...PERSON, expired: false, csrf: "token", now: new Date().toISOString() };

let registered: string[];

/** Loads the script on a page of somebody with a session. */
async function load(session: object | null, path = "/inventory/main"): Promise<string[]> {
  history.replaceState(null, "", path);
  const requested = serve((address) => {
    if (address !== "/session") return ours(JSON.stringify(REFERENCE), { headers: { ETag: "2" } });
    return session ? ours(JSON.stringify(session)) : ours("{}", { status: 401 });
  });
  vi.resetModules();
  await (await import("./register")).prepare();
  return requested;
}

function giveWorkers(register: (address: string) => Promise<unknown>): void {
  vi.stubGlobal(
    "navigator",
    Object.assign(Object.create(navigator), { serviceWorker: { register } }),
  );
}

beforeEach(async () => {
  registered = [];
  giveWorkers(async (address) => registered.push(address));
  await startDevice();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("an idle page installs the worker and reads what its person needs", async () => {
  const requested = await load(SESSION, "/inventory/guildford");
  expect(registered).toContain("/sw.js");
  expect(requested).toContain("/inventory/guildford/reference");
  expect(await loadPerson()).toMatchObject({ user: 3, username: "k.lee" });
  expect(await storedNames()).toContain("3 stock:gfm/guildford");
});

test("the page's own dialog is loaded at once, the rest once the browser is idle", async () => {
  let idle = (): void => {};
  vi.stubGlobal("requestIdleCallback", (run: () => void) => {
    idle = run;
  });
  document.body.innerHTML = `<dialog data-moves="/src/offline/move-dialog/live.ts"></dialog>`;
  const requested = serve((path) => ours(path === MOVE_DIALOG ? "<template></template>" : "{}"));
  vi.resetModules();
  await import("./register");
  await vi.waitFor(() => expect(requested).toEqual([MOVE_DIALOG]));
  expect(registered).toEqual([]);
  idle();
  await vi.waitFor(() => expect(registered).toEqual(["/sw.js"]));
  document.body.replaceChildren();
});

test("what was opened before is kept up to date, whatever page is open", async () => {
  const fetchedAt = 0;
  await giveReference("stock:gfm/northern", REFERENCE, { fetchedAt });
  expect(await load(SESSION, "/dashboard")).toContain("/inventory/northern/reference");
});

test("the stock is read again after the person's own change, and that of the page when it is opened", async () => {
  const before = performance.timeOrigin - 1;
  const sinceOpened = Date.now();
  await giveReference("stock:gfm/main", REFERENCE, { fetchedAt: before });
  await giveReference("stock:gfm/northern", REFERENCE, { fetchedAt: before });
  vi.spyOn(Date, "now").mockReturnValue(sinceOpened);
  const stock = (requested: string[]) =>
    requested.filter((address) => address.endsWith("/reference"));
  expect(stock(await load(SESSION))).toContain("/inventory/main/reference");
  expect(stock(await load(SESSION))).toEqual([]);
  localStorage.setItem("stock-changed-at", String(before + 1));
  expect(stock(await load(SESSION))).toEqual(["/inventory/northern/reference"]);
});

test("a change on an open page is read there", async () => {
  const requested = await load(SESSION);
  const read = requested.length;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  document.body.dispatchEvent(new CustomEvent("stock-changed", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  vi.useRealTimers();
  await vi.waitFor(() => expect(requested.slice(read)).toContain("/inventory/main/reference"));
});

test("the chosen division's sites and check form come first, then the others' main sites", async () => {
  const both = { ...SESSION, divisions: ["fleet", "gfm", "gpm"] };
  const gfm = ["main", "guildford", "northern"].map((site) => `/inventory/${site}/reference`);
  const gpm = "/gpm/inventory/main/reference";
  const read = async (chosen: string) => {
    await startDevice();
    const requested = await load({ ...both, chosen }, "/dashboard");
    // What the script reads as it is loaded is read twice.
    return [...new Set(requested.filter((address) => address.endsWith("/reference")))];
  };
  expect(await read("gfm")).toEqual([...gfm, gpm]);
  expect(await read("gpm")).toEqual([gpm, "/fleetChecks/reference", gfm[0]]);
  expect(await read("fleet")).toEqual(["/fleetChecks/reference", gfm[0], gpm]);
  expect(await read("")).toEqual([gfm[0], gpm]);
});

test("nothing is read of a division that isn't the person's", async () => {
  expect(await load(SESSION, "/gpm/inventory/main")).not.toContain("/gpm/inventory/main/reference");
});

test("nobody's session, a browser that saves data, and one without workers read nothing", async () => {
  const references = (requested: string[]) =>
    requested.filter((address) => address.endsWith("/reference"));
  expect(references(await load(null))).toEqual([]);
  giveWorkers(async () => undefined);
  expect(await load(SESSION)).toEqual([]);
  giveWorkers(() => Promise.reject(new Error("refused")));
  await expect(load(SESSION)).rejects.toThrow("refused");
  vi.stubGlobal("navigator", {});
  expect(await load(SESSION)).toEqual([]);
  vi.stubGlobal("navigator", { serviceWorker: {}, connection: { saveData: true } });
  expect(await load(SESSION)).toEqual([]);
});
