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

interface Schema extends DBSchema {
  entries: { key: string; value: Entry; indexes: { user: number } };
  photos: { key: [string, string]; value: EntryPhoto };
  references: { key: [number, string]; value: Reference };
  device: { key: string; value: Person };
}

export type Database = IDBPDatabase<Schema>;

const NAME = "quartermaster-offline";
const VERSION = 1;

let database: Promise<Database> | null = null;

/** Opens the database; throws where the browser stores nothing or a newer release has changed it. */
export function openDatabase(): Promise<Database> {
  database ??= openDB<Schema>(NAME, VERSION, {
    upgrade(created) {
      created.createObjectStore("entries", { keyPath: "id" }).createIndex("user", "user");
      created.createObjectStore("photos", { keyPath: ["entry", "hash"] });
      created.createObjectStore("references", { keyPath: ["user", "name"] });
      created.createObjectStore("device");
    },
    // A newer version in another tab must not wait for this one.
    blocking: (_current, _requested, event) => {
      (event.target as IDBDatabase).close();
      database = null;
    },
    terminated: () => {
      database = null;
    },
  }).catch((error: unknown) => {
    database = null;
    throw error;
  });
  return database;
}
