/**
 * Drafts of unsent work in the browser's database: one small record per part (a counted line, a
 * photo), so that a keystroke writes a few bytes. Every key starts with the user's id, so that
 * nobody sees another person's drafts.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** The kind of the draft of a stock check. */
export const COUNT = "stock-count";
/** The kind of the draft that holds the list it was started from. */
export const COUNT_LIST = "stock-count-list";
/** The kind of its parts that are lines: `line:` and the item. */
export const LINE = "line:";
/** Its part that has the lines whose stock was changed, until they are marked. */
export const STALE = "stale";
/** Its part that has the entry of a count that was applied, and is edited here. */
export const EDITED_COUNT = "edited";

/** The kind of the draft of a check. */
export const CHECK = "check";
/** Its part that has the form, with the key of the check. */
export const FORM = "form";
/** Its part that has the key of a check that was submitted, and is edited here. */
export const EDITED_CHECK = "edited";
/** The kind of its parts that are photos: `photo:` and an id. */
export const PHOTO = "photo:";

/** The user whose draft it is, and its subject. */
export interface Owner {
  user: number;
  division: string;
  site: string;
  kind: string;
}

interface Part {
  value: unknown;
  at: number;
}

/** A draft as it was saved: its parts, and when the first and the last of them were written. */
export interface Draft {
  parts: Map<string, unknown>;
  since: Date;
  until: Date;
}

type Key = [number, string, string, string, string];

interface Schema extends DBSchema {
  parts: { key: Key; value: Part };
}

interface Store {
  entries(owner: Owner): Promise<[string, Part][]>;
  write(owner: Owner, parts: [string, Part][], removed: readonly string[]): Promise<void>;
  clear(owner: Owner): Promise<void>;
}

const keyOf = (owner: Owner, part: string): Key => [
  owner.user,
  owner.division,
  owner.site,
  owner.kind,
  part,
];

/** The keys of one owner's parts: arrays sort after every text, so an empty one ends the range. */
function rangeOf(owner: Owner): IDBKeyRange {
  const { user, division, site, kind } = owner;
  return IDBKeyRange.bound([user, division, site, kind], [user, division, site, kind, []]);
}

/** Returns the keys to remove for a name: of the part, or of all that begin with a kind, `line:`. */
function removedKeys(owner: Owner, name: string): IDBKeyRange | Key {
  if (!name.endsWith(":")) return keyOf(owner, name);
  return IDBKeyRange.bound(keyOf(owner, name), keyOf(owner, `${name}\uffff`));
}

function onDisk(database: IDBPDatabase<Schema>): Store {
  return {
    async entries(owner) {
      const reading = database.transaction("parts");
      const range = rangeOf(owner);
      const [keys, values] = await Promise.all([
        reading.store.getAllKeys(range),
        reading.store.getAll(range),
      ]);
      return keys.map((key, index): [string, Part] => [key[4], values[index] as Part]);
    },
    async write(owner, parts, removed) {
      const writing = database.transaction("parts", "readwrite");
      for (const name of removed) void writing.store.delete(removedKeys(owner, name));
      for (const [name, part] of parts) void writing.store.put(part, keyOf(owner, name));
      // A page that is left before its requests are answered loses what it hasn't committed.
      writing.commit();
      await writing.done;
    },
    async clear(owner) {
      await database.delete("parts", rangeOf(owner));
    },
  };
}

/** Removes the parts whose names begin with a kind, such as `line:`. */
export function removeKind(parts: Map<string, unknown>, kind: string): void {
  for (const name of [...parts.keys()]) if (name.startsWith(kind)) parts.delete(name);
}

function inMemory(): Store {
  const stores = new Map<string, Map<string, Part>>();
  const storeOf = (owner: Owner) => {
    const name = JSON.stringify(keyOf(owner, ""));
    const store = stores.get(name) ?? new Map<string, Part>();
    stores.set(name, store);
    return store;
  };
  return {
    entries: async (owner) => [...storeOf(owner)],
    async write(owner, parts, removed) {
      const store = storeOf(owner);
      for (const name of removed) {
        if (name.endsWith(":")) removeKind(store, name);
        else store.delete(name);
      }
      for (const [name, part] of parts) store.set(name, part);
    },
    clear: async (owner) => storeOf(owner).clear(),
  };
}

let store: Promise<Store> | null = null;
let persistent = true;

/** Opens the database; async, because some browsers refuse by throwing at once. */
async function openDatabase(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>("quartermaster", 1, {
    upgrade: (database) => void database.createObjectStore("parts"),
    // A newer version in another tab must not wait for this one.
    blocking: (_current, _requested, event) => {
      (event.target as IDBDatabase).close();
      store = null;
    },
    terminated: () => {
      store = null;
    },
  });
}

function open(): Promise<Store> {
  store ??= openDatabase().then(onDisk, () => {
    persistent = false;
    return inMemory();
  });
  return store;
}

/** Returns whether drafts outlive the page: some browsers refuse to store anything. */
export function isPersistent(): boolean {
  return persistent;
}

/** Loads a draft; null without one. */
export async function load(owner: Owner): Promise<Draft | null> {
  const entries = await (await open()).entries(owner);
  if (entries.length === 0) return null;
  const times = entries.map(([, part]) => part.at);
  return {
    parts: new Map(entries.map(([name, part]) => [name, part.value])),
    since: new Date(times.reduce((a, b) => Math.min(a, b))),
    until: new Date(times.reduce((a, b) => Math.max(a, b))),
  };
}

/** Saves some parts and removes others first, all or none; `line:` removes all of that kind. */
export async function putMany(
  owner: Owner,
  parts: Iterable<readonly [string, unknown]>,
  removed: readonly string[] = [],
): Promise<void> {
  const at = Date.now();
  const dated = [...parts].map(([name, value]): [string, Part] => [name, { value, at }]);
  try {
    await (await open()).write(owner, dated, removed);
  } catch {
    // A full disk must not stop the work; the widget shows that it is not saved.
    persistent = false;
  }
}

/** Saves one part. */
export function put(owner: Owner, part: string, value: unknown): Promise<void> {
  return putMany(owner, [[part, value]]);
}

/** Discards a draft: it was sent, or is no longer needed. */
export async function discard(owner: Owner): Promise<void> {
  try {
    await (await open()).clear(owner);
  } catch {
    // Its work may have been sent already: a failure to delete it must not appear as an error.
    persistent = false;
  }
}
