/** Entries, their photos and what was sent, in the browser's database. */
import { Blocked, type Database, openDatabase, type Person, type SentEntry } from "./database";
import { dayOf, type Entry, type EntryPhoto, isWaiting, type Photo } from "./entry";

const SENT_FOR_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_SENT = 20;

const FULL = "This device is full, so nothing was kept. Free some space, then try again.";
const NEWER =
  "A newer version of Quartermaster is open in this browser. Load this page again, then try again.";
const BLOCKED = "Close the other tabs of Quartermaster and load this page again, then try again.";
const NO_STORAGE =
  "This browser keeps nothing, perhaps because it is a private window. Stay on this page until it is sent.";

/** An entry couldn't be kept; the message is for people. */
export class NotKept extends Error {}

/** An entry that may have arrived can't be replaced by another one: both would count. */
export class MayHaveArrived extends Error {
  constructor() {
    super("This may have been sent already. Send it again first: it counts once.");
  }
}

const MESSAGES: Record<string, string> = {
  QuotaExceededError: FULL,
  VersionError: NEWER,
};

/** An entry that is no longer here was sent or discarded: its edited version would count beside it. */
export class NotWaiting extends Error {
  constructor() {
    super("This isn't waiting any more: it was sent or discarded meanwhile. Nothing was changed.");
  }
}

/** An entry with a copy in a file can't be replaced by another one: both would count. */
export class HasCopy extends Error {
  constructor() {
    super(
      "A copy of this was saved as a file, and both would count. Send this as it is, or discard it.",
    );
  }
}

const REFUSALS = [NotKept, MayHaveArrived, NotWaiting, HasCopy];

/** Whether an error's message is for people. */
export function isForPeople(error: unknown): error is Error {
  return REFUSALS.some((refusal) => error instanceof refusal);
}

function notKept(error: unknown): Error {
  if (isForPeople(error)) return error;
  if (error instanceof Blocked) return new NotKept(BLOCKED);
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return new NotKept(MESSAGES[name] ?? NO_STORAGE, { cause: error });
}

/** Does something in the database; a failure is NotKept. */
async function using<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(await openDatabase());
  } catch (error) {
    throw notKept(error);
  }
}

/** A transaction that is on the disk once it is done: a phone's battery may end in the next second. */
const writing = (database: Database) =>
  database.transaction(["entries", "photos", "sent", "device"], "readwrite", {
    durability: "strict",
  });

type Writing = ReturnType<typeof writing>;

const photosOfEntry = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

async function nextOrder(transaction: Writing): Promise<number> {
  const last = await transaction.objectStore("entries").index("order").openKeyCursor(null, "prev");
  return Number(last?.key ?? 0) + 1;
}

async function add(
  transaction: Writing,
  entry: Entry,
  photos: readonly Photo[],
  order?: number,
): Promise<void> {
  const [person] = await transaction.objectStore("device").getAll();
  const isOwn = person?.user === entry.user;
  const kept: Entry = {
    ...entry,
    order: order ?? (await nextOrder(transaction)),
    clockOffset: entry.clockOffset ?? (isOwn ? person.clockOffset : null),
  };
  await transaction.objectStore("entries").put(kept);
  for (const photo of photos)
    await transaction.objectStore("photos").put({ ...photo, entry: entry.id });
}

async function take(transaction: Writing, id: string): Promise<void> {
  await Promise.all([
    transaction.objectStore("entries").delete(id),
    transaction.objectStore("photos").delete(photosOfEntry(id)),
  ]);
}

/** Makes a change as a whole or not at all. */
function changing<Result>(change: (transaction: Writing) => Promise<Result>): Promise<Result> {
  return using(async (database) => {
    const transaction = writing(database);
    const failed = transaction.done.then(
      () => null,
      (error: unknown) => error,
    );
    try {
      const result = await change(transaction);
      await transaction.done;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It has ended already.
      }
      const cause = await failed;
      throw transaction.error ?? (error instanceof Error ? error : cause);
    }
  });
}

const hasCopy = (before: Entry | undefined, entry: Entry): boolean =>
  entry.hasCopy || (before?.hasCopy ?? false);

/**
 * Stores an entry with its photos. One that is there already waits again; what was sent of it and
 * got no reply is sent as it was.
 */
export function put(entry: Entry, photos: readonly Photo[]): Promise<void> {
  return changing(async (transaction) => {
    const before = await transaction.objectStore("entries").get(entry.id);
    if (before?.isUnanswered)
      await transaction
        .objectStore("entries")
        .put({ ...before, state: "waiting", pause: null, nextAt: 0 });
    else
      await add(transaction, { ...entry, hasCopy: hasCopy(before, entry) }, photos, before?.order);
  });
}

/**
 * Replaces an entry by its edited version, which is sent in its place; throws MayHaveArrived and
 * HasCopy, and NotWaiting where the entry is no longer here.
 */
export function replace(id: string, entry: Entry, photos?: readonly Photo[]): Promise<void> {
  return changing(async (transaction) => {
    const before = await transaction.objectStore("entries").get(id);
    // Under the same key both count once, so only another key must not be added beside it.
    if (entry.id !== id) {
      if (!before) throw new NotWaiting();
      if (before.isUnanswered) throw new MayHaveArrived();
      if (before.hasCopy) throw new HasCopy();
    }
    const kept = await transaction.objectStore("photos").getAll(photosOfEntry(id));
    await take(transaction, id);
    const isUnanswered = entry.isUnanswered || (before?.isUnanswered ?? false);
    const all = photos ?? kept.filter(({ hash }) => entry.photos.includes(hash));
    const edited = { ...entry, isUnanswered, hasCopy: hasCopy(before, entry) };
    await add(transaction, edited, all, before?.order);
  });
}

/** Whether two versions of an entry send the same. */
export function sendsTheSame(first: Entry, second: Entry): boolean {
  return JSON.stringify(first.request) === JSON.stringify(second.request);
}

/** Changes an entry, by what `change` returns of it; returns what it was, null without a change. */
export function update(
  id: string,
  change: (current: Entry) => Partial<Entry> | null,
): Promise<Entry | null> {
  return changing(async (transaction) => {
    const current = await transaction.objectStore("entries").get(id);
    const changes = current ? change(current) : null;
    if (!current || !changes) return null;
    await transaction.objectStore("entries").put({ ...current, ...changes });
    return current;
  });
}

/** Changes an entry unless it was removed or edited meanwhile. */
export function updateSent(entry: Entry, changes: Partial<Entry>): Promise<Entry | null> {
  return update(entry.id, (current) => (sendsTheSame(current, entry) ? changes : null));
}

/** Marks an entry before its request leaves; returns what it was, null if it mustn't be sent any more. */
export function begin(entry: Entry): Promise<Entry | null> {
  return update(entry.id, (current) =>
    isWaiting(current) && sendsTheSame(current, entry) ? { isUnanswered: true } : null,
  );
}

/** Takes a mark back: the reply proves that the request had no effect. */
export async function restore(entry: Entry, begun: Entry | null): Promise<void> {
  if (begun) await updateSent(entry, { isUnanswered: begun.isUnanswered });
}

/** Removes an entry with its photos. */
export function remove(id: string): Promise<void> {
  return changing((transaction) => take(transaction, id));
}

/** Removes an entry that the server has, and remembers for its person that it was sent. */
export function removeSent(entry: Entry, reply: unknown): Promise<void> {
  return changing(async (transaction) => {
    const { id, user, title, detail, madeAt, clockOffset } = entry;
    const sentAt = Date.now();
    const current = await transaction.objectStore("entries").get(id);
    if (!current || sendsTheSame(current, entry)) await take(transaction, id);
    const store = transaction.objectStore("sent");
    const earlier = (await store.index("user").getAll(user)).sort((a, b) => b.sentAt - a.sentAt);
    const old = earlier.filter(
      (sent, place) => place >= MAX_SENT - 1 || Math.abs(sentAt - sent.sentAt) > SENT_FOR_MS,
    );
    await Promise.all([
      ...old.map((sent) => store.delete(sent.id)),
      store.put({ id, user, title, detail, day: dayOf(entry), madeAt, clockOffset, sentAt, reply }),
    ]);
  });
}

/** Returns all entries, in the order in which they were made. */
export function all(): Promise<Entry[]> {
  return using((database) => database.getAllFromIndex("entries", "order"));
}

/** Returns a user's entries, in the order in which they were made. */
export function entriesOf(user: number): Promise<Entry[]> {
  return using(async (database) => {
    const entries = await database.getAllFromIndex("entries", "user", user);
    return entries.sort((a, b) => a.order - b.order);
  });
}

/** Returns how many entries a user has. */
export function countOf(user: number): Promise<number> {
  return using((database) => database.countFromIndex("entries", "user", user));
}

/** Returns one entry; null without it. */
export function get(id: string): Promise<Entry | null> {
  return using(async (database) => (await database.get("entries", id)) ?? null);
}

/** Returns the photos of an entry. */
export function photosOf(id: string): Promise<EntryPhoto[]> {
  return using((database) => database.getAll("photos", photosOfEntry(id)));
}

/** Returns what was sent of an entry; null if it wasn't, or long ago. */
export function sentEntry(id: string): Promise<SentEntry | null> {
  return using(async (database) => (await database.get("sent", id)) ?? null);
}

/** Returns what a user has sent lately from here, the newest first. */
export function sentBy(user: number): Promise<SentEntry[]> {
  return using(async (database) => {
    const sent = await database.getAllFromIndex("sent", "user", user);
    return sent.sort((a, b) => b.sentAt - a.sentAt);
  });
}

/** Notes that their person has seen the replies to these. */
export function markSeen(ids: readonly string[]): Promise<void> {
  return changing(async (transaction) => {
    const store = transaction.objectStore("sent");
    for (const id of ids) {
      const sent = await store.get(id);
      if (sent) await store.put({ ...sent, isSeen: true });
    }
  });
}

/** Forgets what was sent from here, but for one user's; null for nobody's. */
export function forgetSent(user: number | null): Promise<void> {
  return using(async (database) => {
    const { store, done } = database.transaction("sent", "readwrite");
    const others = (await store.getAll()).filter((sent) => sent.user !== user);
    await Promise.all(others.map(({ id }) => store.delete(id)));
    await done;
  });
}

/** Returns who was signed in here last; null after a sign-out. */
export function person(): Promise<Person | null> {
  return using(async (database) => (await database.getAll("device"))[0] ?? null);
}
