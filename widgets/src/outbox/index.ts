/** The outbox: keeps changes in this browser and sends each of them once, whatever happens to the line. */
import { announce, awaited, subscribe } from "./announcements";
import { persist, registerSync, SYNC_TAG } from "./background";
import { postDiscard } from "./discards";
import { type Entry, type Failure, isWaiting, type Photo } from "./entry";
import { unsentOf, writeHint } from "./hint";
import type { Status } from "./line";
import { alone } from "./locks";
import { reasonOf } from "./reasons";
import { blockersOf } from "./schedule";
import { sendDue, sendUnkept } from "./sender";
import * as store from "./store";
import { secondsOf } from "./transfer";
import { watchLine } from "./triggers";

export { makeEntry } from "./entry";
export { countOf, entriesOf, MayHaveArrived, NotKept } from "./store";
export { SYNC_TAG, subscribe };

/** What became of an entry when it was tried. */
export type Outcome =
  | { state: "sent"; reply: unknown }
  | { state: "waiting"; reason: string }
  | { state: "conflict" | "refused"; failure: Failure };

const BEING_SENT = "It is being sent";
/** So much longer than the reply may take, whoever waits at the screen sees that it is still being sent. */
const PATIENCE_SECONDS = 5;

/** Tells everybody that something has changed; returns all entries. */
async function changed(): Promise<Entry[]> {
  const entries = await store.all();
  writeHint(unsentOf(entries));
  announce({ type: "changed" });
  return entries;
}

/** Keeps an entry with its photos until the server has it; returns all entries, and throws NotKept. */
export async function keep(entry: Entry, photos: readonly Photo[] = []): Promise<Entry[]> {
  await store.put(entry, photos);
  const entries = await changed();
  void persist();
  void registerSync();
  watchLine();
  return entries;
}

async function outcomeOf(id: string, status: Status | null): Promise<Outcome> {
  const entry = await store.get(id);
  if (!entry) {
    const sent = await store.sentEntry(id);
    // Another tab has discarded it, or put another one in its place.
    if (!sent) throw new store.NotWaiting();
    return { state: "sent", reply: sent.reply };
  }
  if (entry.state !== "waiting" && entry.failure)
    return { state: entry.state, failure: entry.failure };
  return { state: "waiting", reason: reasonOf(entry, await store.all(), status) };
}

/**
 * Tries an entry now, and resolves once it is known what became of it; throws NotWaiting where it is
 * gone, but wasn't sent. `entries` are all, where they were just read.
 */
export async function tryNow(entry: Entry, entries?: readonly Entry[]): Promise<Outcome> {
  let end = (): void => {};
  awaited.add(entry.id);
  const sent = new Promise<Outcome>((resolve) => {
    const timer = setTimeout(
      () => resolve({ state: "waiting", reason: BEING_SENT }),
      (secondsOf(entry) + PATIENCE_SECONDS) * 1000,
    );
    const unsubscribe = subscribe((announcement) => {
      if (announcement.type !== "sent" || announcement.id !== entry.id) return;
      // A reply to the version before an edit says nothing of this one.
      if (store.sendsTheSame(announcement.entry, entry))
        resolve({ state: "sent", reply: announcement.reply });
    });
    end = () => {
      clearTimeout(timer);
      unsubscribe();
    };
  });
  const tried = sendNow(entry.id, entries).then((status) => outcomeOf(entry.id, status));
  try {
    const outcome = await Promise.race([sent, tried]);
    // Where that fails, it is shown once more.
    if (outcome.state === "sent") await store.markSeen([entry.id]).catch(() => {});
    return outcome;
  } finally {
    awaited.delete(entry.id);
    end();
  }
}

/** An entry that couldn't be kept was sent without a reply. */
export class ReplyLost extends store.NotKept {
  constructor() {
    super(
      "This may have arrived, though no reply came. It can't be kept here: stay on this page and try again. It counts once.",
    );
  }
}

async function deliverUnkept(
  entry: Entry,
  photos: readonly Photo[],
  error: store.NotKept,
): Promise<Outcome> {
  const meaning = await sendUnkept(entry, photos);
  if (meaning?.kind === "sent") return { state: "sent", reply: meaning.reply };
  if (meaning?.kind === "conflict" || meaning?.kind === "refused")
    return { state: meaning.kind, failure: meaning.failure };
  if (meaning?.kind !== "again") throw error;
  const { isAnswered, failure } = meaning;
  // The server replies after it has stored the change, and may fail in between.
  const mayHaveArrived = !isAnswered || failure.status === 408 || failure.status >= 500;
  throw mayHaveArrived ? new ReplyLost() : error;
}

/**
 * Keeps an entry and tries it at once, for somebody who waits. Where nothing can be kept it is sent
 * all the same; throws NotKept when that fails too.
 */
export async function deliver(entry: Entry, photos: readonly Photo[] = []): Promise<Outcome> {
  let entries: Entry[];
  try {
    entries = await keep(entry, photos);
  } catch (error) {
    if (error instanceof store.NotKept) return deliverUnkept(entry, photos, error);
    throw error;
  }
  return tryNow(entry, entries);
}

/** Returns one entry; null without it. */
export const entry = store.get;

/** Removes an entry that isn't needed any more. */
export async function remove(id: string): Promise<void> {
  await store.remove(id);
  await changed();
}

/** Returns an entry that nobody sends; throws NotWaiting. */
async function present(id: string): Promise<Entry> {
  const found = await store.get(id);
  if (!found) throw new store.NotWaiting();
  return found;
}

/**
 * Removes an entry whose conflict its person doesn't settle, once the server has the reason; throws
 * NotDiscarded, and NotWaiting or MayHaveArrived where it was sent meanwhile.
 */
export function discard(id: string, reason: string): Promise<void> {
  return alone(async () => {
    const discarded = await present(id);
    if (discarded.state !== "conflict") throw new store.MayHaveArrived();
    await postDiscard(discarded, reason);
    await remove(id);
  });
}

/**
 * Removes an entry as its person saw it with the question; throws NotWaiting or MayHaveArrived
 * where it was sent meanwhile.
 */
export function discardUnsent(seen: Entry): Promise<void> {
  return alone(async () => {
    const { isUnanswered } = await present(seen.id);
    if (isUnanswered && !seen.isUnanswered) throw new store.MayHaveArrived();
    await remove(seen.id);
  });
}

/** Replaces an entry by its edited version; throws MayHaveArrived, NotWaiting and NotKept. */
export async function replace(id: string, edited: Entry, photos?: readonly Photo[]): Promise<void> {
  await store.replace(id, edited, photos);
  await changed();
  void registerSync();
}

/** Sends an entry that was made long ago, once its person has confirmed it. */
export async function confirmAndSend(entry: Entry): Promise<Outcome> {
  await store.update(entry.id, () => ({ isConfirmed: true }));
  return tryNow(entry);
}

/**
 * Sends one entry now, whatever it waits for, after those that it has to wait for; without an id all
 * that wait by themselves. `read` are all entries, where they were just read. Returns what the line was like; null if another tab has sent meanwhile.
 */
export async function sendNow(id?: string, read?: readonly Entry[]): Promise<Status | null> {
  const entries = read ?? (await store.all());
  const named = entries.filter((each) => each.id === id);
  const chosen =
    id === undefined
      ? entries.filter(isWaiting)
      : named.flatMap((each) => [...blockersOf(each, entries), each]);
  for (const each of chosen)
    await store.update(each.id, () => ({ state: "waiting", pause: null, nextAt: 0 }));
  if (!chosen.every(isWaiting)) await changed();
  watchLine();
  return sendDue();
}

/** Sends all that waits, for the worker's `sync` event; throws so that the browser tries again later. */
export async function sendInBackground(): Promise<void> {
  const status = await sendDue();
  if (status?.state === "signed out") return;
  const waiting = (await store.all()).filter(isWaiting);
  // Without a status nothing was due yet, so that nobody knows who is signed in.
  const left =
    status?.state === "online" ? waiting.filter(({ user }) => user === status.user) : waiting;
  if (left.length > 0) throw new Error("Not all sent");
}
