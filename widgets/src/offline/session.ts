/** Reads from the server who is signed in, which is also the test of the line, and stores it. */
import type { Person } from "../outbox/database";
import { type Line, readLine } from "../outbox/line";
import { forgetPerson, storePerson } from "./person";

/** Returns whom this browser stores for a session. */
function personOf({ session }: Line & { state: "online" }): Person {
  const { user, username, divisions, chosen, clockOffset } = session;
  return { user, username, divisions, chosen, clockOffset };
}

/** Tests the line; stores who is signed in, or forgets who was. */
export async function readSession(): Promise<{ state: Line["state"]; person: Person | null }> {
  const line = await readLine();
  const person = line.state === "online" ? personOf(line) : null;
  if (person) await storePerson(person);
  if (line.state === "signed out") await forgetPerson();
  return { state: line.state, person };
}
