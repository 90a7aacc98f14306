/// <reference types="vite/client" />
/** A browser for tests of work without a connection: its database, its caches and its server. */
import { vi } from "vitest";
import { openDatabase, type Person } from "../outbox/database";
import type { Entry } from "../outbox/entry";
import { contentOf, moveEntry } from "../outbox/move";
import { MOVE_DIALOG } from "./addresses";
import DIALOG from "./move-dialog/dialog.html?raw";
import { storePerson } from "./person";
import type { StockReference } from "./references";
import { itemOf, offersOf, storeOf } from "./stock-reference";

export const MAKER = { user: 3, username: "k.lee" };
export const PERSON = { ...MAKER, divisions: ["gfm"], chosen: "gfm", clockOffset: 0 };

export const REFERENCE: StockReference = {
  user: 3,
  division: "gfm",
  divisionLabel: "GFM",
  site: "main",
  siteLabel: "Main",
  today: "2026-11-22",
  back: "/inventory/main",
  teams: ["Kitchen", "Stores"],
  deliveryTeams: ["Stores"],
  withdrawalTeams: ["Kitchen", "Stores"],
  destinations: [
    { value: "guildford", label: "Guildford" },
    { value: "northern", label: "Northern" },
  ],
  rows: [
    [4, "Globe", 0, "Fun", 85, "pcs"],
    [5, "Hand warmer", 79, "", 210, "pcs"],
    [6, "Rope", 12, "Tools", 99, "m"],
  ],
  viewOnly: "",
  count: null,
};

/** GPM's store, which has one site and schedules its deliveries. */
export const GPM: StockReference = {
  ...REFERENCE,
  division: "gpm",
  divisionLabel: "GPM",
  back: "/gpm/inventory/main",
  destinations: [],
};

/** Stores what was read of a store, and who is signed in. */
export async function storeReference(value: StockReference, fetchedAt = Date.now()): Promise<void> {
  const database = await openDatabase();
  const name = `stock:${value.division}/${value.site}`;
  await database.put("references", { user: MAKER.user, name, value, etag: "", fetchedAt });
  await database.put("device", PERSON, "person");
}

/** Returns the entry of a dialog on the item with an id, with these fields. */
export function moveOf(
  id: number,
  fields: Record<string, string>,
  reference: StockReference = REFERENCE,
): Entry {
  const row = reference.rows.find(([each]) => each === id) ?? [id, "Gone", 0, "", 0, "pcs"];
  const base = { store: storeOf(reference), item: itemOf(row), offers: offersOf(reference) };
  const form = Object.entries({ action: "withdrawal", quantity: "5", team: "Kitchen", ...fields });
  const quantity = Number(form.find(([name]) => name === "quantity")?.[1]);
  return moveEntry({
    maker: MAKER,
    content: contentOf(base, form, quantity),
    url: `${reference.back}/items/${id}/action`,
    form,
  });
}

/** Empties the browser's database, and signs somebody in on it. */
export async function startDevice(person: Person | null = null): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  const database = await openDatabase();
  for (const name of database.objectStoreNames) await database.clear(name);
  if (person) await storePerson(person);
}

/** Stores a reference as it was read at a moment. */
export async function giveReference(
  name: string,
  value: unknown,
  { user = MAKER.user, fetchedAt = Date.now() } = {},
): Promise<void> {
  const reference = { user, name, value, etag: `"1"`, fetchedAt };
  await (await openDatabase()).put("references", reference);
}

/** Returns the names of all references, each with its user. */
export async function storedNames(): Promise<string[]> {
  const keys = await (await openDatabase()).getAllKeys("references");
  return keys.map(([user, name]) => `${user} ${name}`);
}

/** Returns a reply of our server: with its policy, and 'basic' as those of one's own server are. */
export function ours(body: BodyInit | null, init: ResponseInit = {}): Response {
  const headers = { "Content-Security-Policy": "default-src 'none'", ...init.headers };
  return basic(new Response(body, { ...init, headers }));
}

const TYPES: Record<string, string> = { css: "text/css", js: "text/javascript; charset=utf-8" };

/** Returns a file as our server sends it, by the ending of its address, or a page. */
export function ownFile(path: string, text: string): Response {
  const type = TYPES[path.split(".").at(-1) ?? ""] ?? "text/html; charset=utf-8";
  const headers = { "Content-Type": type, "Cross-Origin-Resource-Policy": "same-origin" };
  return ours(text, { headers });
}

/** Makes a response one of a page's own server. */
export function basic(response: Response): Response {
  return Object.defineProperty(response, "type", { value: "basic" });
}

/** Replies to all requests by their paths; returns the paths that were requested. */
export function serve(answer: (path: string, init: RequestInit) => Response | null): string[] {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    requested.push(path);
    const response = answer(path, init);
    if (!response) throw new TypeError("Failed to fetch");
    return response;
  });
  return requested;
}

/** Lets the service worker reply with the dialog that moves an item, whatever becomes of the line. */
export function keepDialog(): void {
  const others = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) =>
    address === MOVE_DIALOG ? ownFile(MOVE_DIALOG, DIALOG) : others(address, init),
  );
}

/** The caches of a browser, in memory; `room` is how many files they still take. */
export class MemoryCaches {
  room = Number.POSITIVE_INFINITY;
  readonly kept = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const files = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, files);
    return {
      keys: async () => [...files.keys()].map((path) => new Request(`http://localhost${path}`)),
      match: async (path: string) => files.get(path)?.clone(),
      put: async (path: string, response: Response) => {
        this.room -= 1;
        if (this.room < 0) throw new DOMException("", "QuotaExceededError");
        files.set(path, response);
      },
    };
  }

  async match(address: string) {
    const path = new URL(address, "http://localhost").pathname;
    for (const files of this.kept.values()) {
      const found = files.get(path);
      if (found) return found.clone();
    }
    return undefined;
  }

  keys = async () => [...this.kept.keys()];
  delete = async (name: string) => this.kept.delete(name);
}

/** Gives the browser empty caches. */
export function startCaches(): MemoryCaches {
  const caches = new MemoryCaches();
  vi.stubGlobal("caches", caches);
  return caches;
}
