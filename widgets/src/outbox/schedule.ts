/** When entries are sent, and which of them next. */
import { type Entry, isWaiting } from "./entry";

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 15 * 60_000;
/** The longest wait that a server may ask for; a later time means that the clock has jumped. */
const LONGEST_MS = 60 * 60_000;
const ANSWERED_TRIES_THAT_BLOCK = 4;
/** More than with replies, since a bad line fails too; but a network may refuse one entry for ever. */
const TRIES_THAT_BLOCK = 8;

/** Returns how long to wait after so many failures, by `random` from 0 to 1 longer or shorter. */
export function waitAfter(
  failures: number,
  retryAfter: number | null,
  random: number = Math.random(),
): number {
  const doubled = FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20);
  const wait = Math.min(Math.min(doubled, MAX_WAIT_MS) * (0.75 + random / 2), MAX_WAIT_MS);
  const requested = Math.min((retryAfter ?? 0) * 1000, LONGEST_MS);
  return Math.max(FIRST_WAIT_MS, wait, requested);
}

/** Returns in how many ms an entry is due; a clock that was set back doesn't prolong that. */
export function dueIn(entry: Entry, now: number): number {
  const wait = entry.nextAt - now;
  return wait > LONGEST_MS ? 0 : Math.max(0, wait);
}

/** Whether an entry keeps those after it waiting: until it has failed so often that it may never succeed. */
export function blocks(entry: Entry): boolean {
  return (
    isWaiting(entry) &&
    entry.answeredTries < ANSWERED_TRIES_THAT_BLOCK &&
    entry.tries < TRIES_THAT_BLOCK
  );
}

/** Returns the entries before an entry that keep it waiting. */
export function blockersOf(entry: Entry, entries: readonly Entry[]): Entry[] {
  return entries.filter(
    (other) =>
      other.user === entry.user &&
      other.subject === entry.subject &&
      other.order < entry.order &&
      blocks(other),
  );
}

/** Returns the waiting entries that no other one keeps waiting; each subject's are in their order. */
export function unblocked(entries: readonly Entry[]): Entry[] {
  const blocked = new Set<string>();
  return entries.filter((entry) => {
    if (!isWaiting(entry)) return false;
    const subject = JSON.stringify([entry.user, entry.subject]);
    if (blocked.has(subject)) return false;
    if (blocks(entry)) blocked.add(subject);
    return true;
  });
}

/** Returns in how many ms the next entry is due; null if none waits. */
export function nextDueIn(entries: readonly Entry[], now: number): number | null {
  const waits = unblocked(entries).map((entry) => dueIn(entry, now));
  return waits.length > 0 ? Math.min(...waits) : null;
}
