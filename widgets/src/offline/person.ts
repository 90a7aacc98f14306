/** Whose device this is: the person who is signed in, stored for pages without a connection. */
import { openDatabase, type Person } from "../outbox/database";
import { divisionOf } from "./addresses";
import { deleteReferences } from "./references";

const KEY = "person";

/** The mark in localStorage that a person is stored: the sign-in page looks for it (boot.ts). */
export const MARK = "offline-person";

export { person as loadPerson } from "../outbox/store";

/** Stores who is signed in, and deletes what was read for others and for divisions of the past. */
export async function storePerson(person: Person): Promise<void> {
  mark(person);
  await (await openDatabase()).put("device", person, KEY);
  await deleteReferences(person.user, (name) => person.divisions.includes(divisionOf(name)));
}

/** Deletes who was signed in and all that was read for them; unsent work stays. */
export async function forgetPerson(): Promise<void> {
  await (await openDatabase()).delete("device", KEY);
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
