/**
 * A small note in localStorage of what waits here, so that a page can show it at once and pages with
 * nothing to send load nothing. The database knows better; pages correct the note from it.
 */
import type { Entry } from "./entry";

const KEY = "outbox";
/** Dispatched on the window when the note has changed in this tab; other tabs get `storage`. */
export const NOTED = "outbox-noted";

/** What one person has here that isn't sent. */
export interface Unsent {
  user: number;
  username: string;
  count: number;
  /** When the oldest was made. */
  since: number;
}

/** Sums up the entries by person. */
export function unsentOf(entries: readonly Entry[]): Unsent[] {
  const found = new Map<number, Unsent>();
  for (const { user, username, madeAt } of entries) {
    const { count = 0, since = madeAt } = found.get(user) ?? {};
    found.set(user, { user, username, count: count + 1, since: Math.min(since, madeAt) });
  }
  return [...found.values()];
}

/** Reads the note; null where nothing waits, and where the browser stores nothing. */
export function readHint(): Unsent[] | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text) as Unsent[]);
  } catch {
    return null;
  }
}

/** Writes the note, and tells this page; a worker has no localStorage. */
export function writeHint(unsent: readonly Unsent[]): void {
  if (typeof document === "undefined") return;
  try {
    if (unsent.length > 0) localStorage.setItem(KEY, JSON.stringify(unsent));
    else localStorage.removeItem(KEY);
  } catch {
    // The page shows what it reads in the database.
  }
  dispatchEvent(new Event(NOTED));
}
