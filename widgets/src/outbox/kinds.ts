/** What each kind of entry knows of itself, loaded when somebody needs it. */
import type { Entry, Kind } from "./entry";

/** A choice of the person, for an entry that came back to them. */
export interface Choice {
  label: string;
  isDanger?: boolean;
  /** Whether the person has to say why. */
  needsReason?: boolean;
  run(entry: Entry, reason?: string): Promise<void>;
}

export interface KindOfEntry {
  /** Prepares the page on which an entry is edited, and returns its address. */
  edit(entry: Entry): Promise<string>;
  /** Ends an edit without its changes, before the entry is sent as it is or discarded. */
  leave?(entry: Entry): Promise<void>;
  /** Returns what a conflict is about, such as 'Taken 5 at 9:40, but the books say 2.' */
  conflictOf?(entry: Entry): string;
  /** Returns the choices of a conflict, the best first. */
  choices(entry: Entry): Choice[];
}

/** The modules of the kinds. */
const LOADERS: Partial<Record<Kind, () => Promise<KindOfEntry>>> = {
  move: async () => (await import("./move")).move,
  count: async () => (await import("./count")).count,
  check: async () => (await import("./check")).check,
};

/** Loads what a kind of entry knows; null where this release doesn't know the kind. */
export async function kindOf(entry: Entry): Promise<KindOfEntry | null> {
  return (await LOADERS[entry.kind]?.()) ?? null;
}
