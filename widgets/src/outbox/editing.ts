/** An edit of an entry: it isn't sent meanwhile, and stays until its new version takes its place. */
import { announce } from "./announcements";
import type { Entry, Failure } from "./entry";
import { update } from "./store";

const CODE = "edited";
const EDITED: Failure = {
  status: 0,
  code: CODE,
  message: "You have opened this to change it.",
  fields: {},
  body: null,
};

/** Something else is being edited where an entry would be; the message is for people. */
export class BeingEdited extends Error {}

/** Whether an entry was opened for an edit, and isn't sent until that ends. */
export function isBeingEdited({ state, failure }: Pick<Entry, "state" | "failure">): boolean {
  return state === "refused" && failure?.code === CODE;
}

/** Returns an entry as it is while it is edited: one that would be sent by itself isn't. */
export function paused(entry: Entry): Entry {
  return entry.state === "waiting" ? { ...entry, state: "refused", failure: EDITED } : entry;
}

/** Keeps an entry from being sent while it is edited. */
export async function pause(entry: Entry): Promise<void> {
  await update(entry.id, paused);
  announce({ type: "changed" });
}

/** Ends an edit without a new version: the entry is sent as it was. */
export async function resume(id: string): Promise<void> {
  await update(id, ({ failure }) =>
    failure?.code === CODE ? { state: "waiting", failure: null, nextAt: 0 } : null,
  );
  announce({ type: "changed" });
}
