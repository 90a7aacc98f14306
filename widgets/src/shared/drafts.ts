/**
 * Unsent work, kept in the browser as it is typed: one small record per part (a counted line,
 * a photo), so that a keystroke writes a few bytes. Every address starts with the user's id,
 * so that no one is ever shown what another person typed.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** Whose work it is, and on what. */
export interface Owner {
  user: number;
  division: string;
  site: string;
  kind: string;
}

interface Kept {
  value: unknown;
  at: number;
}

/** A piece of work as it is kept: its parts, when it began and when it was last added to. */
export interface Draft {
  parts: Map<string, unknown>;
  since: Date;
  until: Date;
}

type Address = [number, string, string, string, string];

interface Schema extends DBSchema {
  parts: { key: Address; value: Kept };
}

interface Shelf {
  entries(owner: Owner): Promise<[string, Kept][]>;
  write(owner: Owner, parts: [string, Kept][], dropped: readonly string[]): Promise<void>;
  clear(owner: Owner): Promise<void>;
}

const addressOf = (owner: Owner, part: string): Address => [
  owner.user,
  owner.division,
  owner.site,
  owner.kind,
  part,
];

/** All parts of one owner: arrays sort after every text, so an empty one ends the range. */
function rangeOf(owner: Owner): IDBKeyRange {
  const { user, division, site, kind } = owner;
  return IDBKeyRange.bound([user, division, site, kind], [user, division, site, kind, []]);
}

function onDisk(database: IDBPDatabase<Schema>): Shelf {
  return {
    async entries(owner) {
      const reading = database.transaction("parts");
      const range = rangeOf(owner);
      const [addresses, values] = await Promise.all([
        reading.store.getAllKeys(range),
        reading.store.getAll(range),
      ]);
      return addresses.map((address, n): [string, Kept] => [address[4], values[n] as Kept]);
    },
    async write(owner, parts, dropped) {
      const writing = database.transaction("parts", "readwrite");
      for (const part of dropped) void writing.store.delete(addressOf(owner, part));
      for (const [part, kept] of parts) void writing.store.put(kept, addressOf(owner, part));
      await writing.done;
    },
    async clear(owner) {
      await database.delete("parts", rangeOf(owner));
    },
  };
}

function inMemory(): Shelf {
  const shelves = new Map<string, Map<string, Kept>>();
  const shelfOf = (owner: Owner) => {
    const name = JSON.stringify(addressOf(owner, ""));
    const shelf = shelves.get(name) ?? new Map<string, Kept>();
    shelves.set(name, shelf);
    return shelf;
  };
  return {
    entries: async (owner) => [...shelfOf(owner)],
    async write(owner, parts, dropped) {
      const shelf = shelfOf(owner);
      for (const part of dropped) shelf.delete(part);
      for (const [part, kept] of parts) shelf.set(part, kept);
    },
    clear: async (owner) => shelfOf(owner).clear(),
  };
}

let shelf: Promise<Shelf> | null = null;
let survives = true;

/** Async, for some browsers refuse by throwing at once. */
async function openDatabase(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>("quartermaster", 1, {
    upgrade: (database) => void database.createObjectStore("parts"),
    // Another tab's newer version must not wait for this one.
    blocking: (_current, _wanted, event) => {
      (event.target as IDBDatabase).close();
      shelf = null;
    },
    terminated: () => {
      shelf = null;
    },
  });
}

function open(): Promise<Shelf> {
  shelf ??= openDatabase().then(onDisk, () => {
    survives = false;
    return inMemory();
  });
  return shelf;
}

/** Tells whether what is kept outlives the page: some browsers refuse to store anything. */
export function isKept(): boolean {
  return survives;
}

/** Returns what is kept of a piece of work, or null. */
export async function load(owner: Owner): Promise<Draft | null> {
  const entries = await (await open()).entries(owner);
  if (entries.length === 0) return null;
  const times = entries.map(([, kept]) => kept.at);
  return {
    parts: new Map(entries.map(([part, kept]) => [part, kept.value])),
    since: new Date(times.reduce((a, b) => Math.min(a, b))),
    until: new Date(times.reduce((a, b) => Math.max(a, b))),
  };
}

/** Keeps several parts and drops others, all or none. */
export async function putMany(
  owner: Owner,
  parts: Iterable<readonly [string, unknown]>,
  dropped: readonly string[] = [],
): Promise<void> {
  const at = Date.now();
  const kept = [...parts].map(([part, value]): [string, Kept] => [part, { value, at }]);
  try {
    await (await open()).write(owner, kept, dropped);
  } catch {
    // A full disk must not stop the work; the widget says that it isn't kept.
    survives = false;
  }
}

/** Keeps one part. */
export function put(owner: Owner, part: string, value: unknown): Promise<void> {
  return putMany(owner, [[part, value]]);
}

/** Throws the work away: it was sent, or its owner doesn't want it. */
export async function discard(owner: Owner): Promise<void> {
  try {
    await (await open()).clear(owner);
  } catch {
    // What was sent stays sent, also where the browser fails to forget it.
    survives = false;
  }
}
