/** Pauses of entries: while one is edited, or its person decides about it, it isn't sent. */
import { announce } from "./announcements";
import type { Entry, Pause } from "./entry";
import { isFree, share } from "./locks";
import { all, NotWaiting, update } from "./store";

/** Without Web Locks, a page that is gone can't be distinguished from one that is open: its pause ends then. */
const LONGEST_MS = 60 * 60_000;

const RESUMED: Partial<Entry> = { pause: null, nextAt: 0 };

/** How to let go of the locks of this page, by their entries. */
const locks = new Map<string, () => void>();

/** Something else is being edited where an entry would be; the message is for people. */
export class BeingEdited extends Error {}

const lockOf = (id: string): string => `quartermaster-edit-${id}`;

/** Returns an entry as it is while it is edited, by default in a draft. */
export function paused(entry: Entry, by: Pause["by"] = "draft"): Entry {
  return { ...entry, pause: { by, at: Date.now() } };
}

function letGo(id: string): void {
  locks.get(id)?.();
  locks.delete(id);
}

async function lockInPage(id: string): Promise<void> {
  if (locks.has(id)) return;
  locks.set(id, await share(lockOf(id)));
  // A page that the browser keeps for Back isn't open either.
  addEventListener("pagehide", () => letGo(id), { once: true });
}

/** Keeps an entry from being sent while it is edited. */
export async function pause(id: string, by: Pause["by"]): Promise<void> {
  if (by === "page") await lockInPage(id);
  await update(id, (current) => paused(current, by));
  announce({ type: "changed" });
}

/** Ends an edit without a new version: the entry is sent as it was. */
export async function resume(id: string): Promise<void> {
  await update(id, (current) => (current.pause ? RESUMED : null));
  letGo(id);
  announce({ type: "changed" });
}

/** An entry that isn't sent while its person decides about it. */
interface PausedEntry {
  /** The entry as it is then. */
  entry: Entry;
  release(): Promise<void>;
}

/** Keeps an entry from being sent while its person decides about it; throws NotWaiting. */
export async function pauseForQuestion(id: string): Promise<PausedEntry> {
  await lockInPage(id);
  const entry = await update(id, (current) =>
    paused(current, current.pause ? current.pause.by : "page"),
  );
  if (!entry) {
    letGo(id);
    throw new NotWaiting();
  }
  const release = async () => {
    // An edit of it goes on.
    if (!entry.pause) return resume(id);
    await update(id, () => ({ pause: entry.pause }));
    letGo(id);
  };
  return { entry, release };
}

/** Ends the pauses of pages that are gone; returns all entries. */
export async function endLeftPauses(): Promise<Entry[]> {
  const entries = await all();
  for (const entry of entries) {
    if (entry.pause?.by !== "page") continue;
    const isOld = Math.abs(Date.now() - entry.pause.at) > LONGEST_MS;
    if (!((await isFree(lockOf(entry.id))) ?? isOld)) continue;
    await resume(entry.id);
    Object.assign(entry, RESUMED);
  }
  return entries;
}
