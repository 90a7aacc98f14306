/** Reads from the server who is signed in, which is also the test of the line, and stores it. */
import type { Person } from "../outbox/database";
import { type Line, readLine } from "../outbox/line";
import { forgetPerson, loadPerson, storePerson } from "./person";

/** Returns whom this browser stores for a session. */
function personOf({ session }: Line & { state: "online" }): Person {
  const { user, username, divisions, chosen, clockOffset } = session;
  return { user, username, divisions, chosen, clockOffset };
}

/** Tests the line; stores who is signed in and returns them, or forgets who was. */
export async function readSession(): Promise<{ state: Line["state"]; person: Person | null }> {
  const before = await loadPerson();
  const line = await readLine();
  if (line.state === "signed out") await forgetPerson();
  if (line.state !== "online") return { state: line.state, person: null };
  const person = personOf(line);
  // The reply may be older than what another tab has stored meanwhile.
  return { state: line.state, person: (await storePerson(person, before)) ? person : null };
}
