/**
 * A small note in localStorage of what waits here, so that a page can show it at once and pages with
 * nothing to send load nothing. The database knows better; pages correct the note from it.
 */
import { plural } from "../shared/money";
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

/** Writes the note, and tells this page if it has changed; a worker has no localStorage. */
export function writeHint(unsent: readonly Unsent[]): void {
  if (typeof document === "undefined") return;
  const text = unsent.length > 0 ? JSON.stringify(unsent) : null;
  try {
    if (localStorage.getItem(KEY) === text) return;
    if (text === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
  } catch {
    return;
  }
  dispatchEvent(new Event(NOTED));
}

/** Returns what becomes of another person's entries. */
export function keptText(username: string): string {
  return `Kept safe until ${username} signs in here.`;
}

/** Returns 'k.lee has 2 entries here not sent.' */
export function unsentText(username: string, count: number): string {
  return `${username} has ${plural(count, "entry", "entries")} here not sent.`;
}
