/** Whose device this is: the person who is signed in, stored for pages without a connection. */
import { openDatabase, type Person } from "../outbox/database";
import { forgetSent } from "../outbox/store";
import { divisionOf } from "./addresses";
import { deleteReferences } from "./references";

const KEY = "person";

/** The mark in localStorage that a person is stored: the sign-in page looks for it (boot.ts). */
export const MARK = "offline-person";

export { person as loadPerson } from "../outbox/store";

/**
 * Stores who is signed in, and deletes what was read for others and for divisions of the past.
 * Returns false, and does nothing, if somebody has signed in or out since `before` was loaded.
 */
export async function storePerson(person: Person, before: Person | null = null): Promise<boolean> {
  const storing = (await openDatabase()).transaction("device", "readwrite");
  const current = (await storing.store.get(KEY)) ?? null;
  const isStored = current?.user === before?.user || current?.user === person.user;
  if (isStored) {
    mark(person);
    await storing.store.put(person, KEY);
  }
  await storing.done;
  if (isStored) {
    await forgetSent(person.user);
    await deleteReferences(person.user, (name) => person.divisions.includes(divisionOf(name)));
  }
  return isStored;
}

/** Deletes who was signed in, all that was read for them and what they sent; unsent work stays. */
export async function forgetPerson(): Promise<void> {
  await (await openDatabase()).delete("device", KEY);
  await forgetSent(null);
  await deleteReferences(null);
  mark(null);
}

function mark(person: Person | null): void {
  try {
    if (person) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // A browser that stores nothing has nothing to delete either.
  }
}
