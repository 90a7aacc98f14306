/**
 * The kinds of entries: all that differs between them, but for how they change amounts (pending.ts),
 * which lists load without the rest.
 */
import { check } from "./check";
import { count } from "./count";
import type { Entry, Kind } from "./entry";
import { move } from "./move";
import type { Test } from "./shapes";

/** What settles a conflict: the entry that takes the place of the one that was refused. */
export interface Settlement {
  label: string;
  entry: Entry;
}

export interface KindOfEntry {
  /** Whether a value is a request of this kind; nothing else is sent from a file. */
  isRequest: Test;
  /** Whether a value is the content of an entry, which shows it again. */
  isContent: Test;
  /** Prepares the page on which an entry is edited, and returns its address. */
  edit(entry: Entry): Promise<string>;
  /** Ends an edit without its changes, before the entry is sent as it is or discarded. */
  leave?(entry: Entry): Promise<void>;
  /** Returns what a conflict is about, such as 'Taken 5 at 9:40, but the books say 2.' */
  conflictOf?(entry: Entry): string;
  /** Returns what settles a conflict besides an edit; null for nothing. */
  settle?(entry: Entry): Settlement | null;
  /** The question before a conflict is discarded, where it isn't the usual one. */
  discarding?: { title: string; text: string };
}

export const KINDS: Record<Kind, KindOfEntry> = { move, count, check };

/** Returns the kind of an entry; null where this release doesn't know it. */
export function kindOf({ kind }: Entry): KindOfEntry | null {
  return KINDS[kind] ?? null;
}
