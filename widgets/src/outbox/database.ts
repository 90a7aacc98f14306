/**
 * The browser's database of work without a line: the outbox, what is shown without a connection, and
 * whose device this is. A database of its own, because drafts must open in releases without it.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Entry, EntryPhoto } from "./entry";

/** What was read from the server, for use without a connection. */
export interface Reference {
  user: number;
  /** What it is, such as 'stock:gfm/main'. */
  name: string;
  value: unknown;
  etag: string;
  /** When it was read, in ms of this browser's clock. */
  fetchedAt: number;
}

/** Who is signed in on this device. */
export interface Person {
  user: number;
  username: string;
  divisions: string[];
  /** The chosen division; '' before the choice. */
  chosen: string;
  /** By how many ms the server's clock is ahead of this browser's. */
  clockOffset: number;
}

/** What was sent lately, for its person to see. */
export interface SentEntry {
  id: string;
  user: number;
  title: string;
  detail: string;
  /** The day that it is of; '' for the day on which it was made. */
  day: string;
  madeAt: number;
  clockOffset: number | null;
  sentAt: number;
  /** The reply's JSON. */
  reply: unknown;
  /** Whether its person has seen the reply. */
  isSeen?: boolean;
}

/** Which page sends, where the browser has no Web Locks. */
export interface Lease {
  holder: string;
  until: number;
}

interface Schema extends DBSchema {
  entries: { key: string; value: Entry; indexes: { user: number; order: number } };
  photos: { key: [string, string]; value: EntryPhoto };
  references: { key: [number, string]; value: Reference };
  device: { key: string; value: Person };
  sent: { key: string; value: SentEntry; indexes: { user: number } };
  leases: { key: string; value: Lease };
}

export type Database = IDBPDatabase<Schema>;

const NAME = "quartermaster-offline";
const VERSION = 1;

let database: Promise<Database> | null = null;

/** Tabs of an older release keep the database open, so that it can't be changed to this one's format. */
export class Blocked extends Error {}

async function open(): Promise<Database> {
  let refuse = (_: Error): void => {};
  const blocked = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const opening = openDB<Schema>(NAME, VERSION, {
    upgrade(created) {
      const entries = created.createObjectStore("entries", { keyPath: "id" });
      entries.createIndex("user", "user");
      entries.createIndex("order", "order");
      created.createObjectStore("photos", { keyPath: ["entry", "hash"] });
      created.createObjectStore("references", { keyPath: ["user", "name"] });
      created.createObjectStore("device");
      created.createObjectStore("sent", { keyPath: "id" }).createIndex("user", "user");
      created.createObjectStore("leases");
    },
    blocked: () => refuse(new Blocked()),
    // A newer version in another tab must not wait for this one.
    blocking: (_current, _requested, event) => {
      (event.target as IDBDatabase).close();
      database = null;
    },
    terminated: () => {
      database = null;
    },
  });
  return Promise.race([opening, blocked]);
}

/** Opens the database; throws where the browser stores nothing or a newer release has changed it. */
export function openDatabase(): Promise<Database> {
  database ??= open().catch((error: unknown) => {
    database = null;
    throw error;
  });
  return database;
}
