/** Asks the server who is signed in, which is also the test of the line. */
import type { Person } from "../outbox/database";
import { endsAfter, isRecord } from "../shared/requests";
import { forgetPerson, storePerson } from "./person";

const LIMIT_SECONDS = 5;

/** What a test of the line found: no line, nobody signed in, or who is. */
export type Found =
  | { state: "no line" }
  | { state: "signed out" }
  | { state: "signed in"; person: Person };

/** Tests the line, and stores or forgets who is signed in. */
export async function readSession(): Promise<Found> {
  const started = Date.now();
  const reply = await fetch("/session", {
    headers: { Accept: "application/json" },
    cache: "no-store",
    signal: endsAfter(LIMIT_SECONDS),
  }).catch(() => null);
  if (!reply?.headers.has("Content-Security-Policy")) return { state: "no line" };
  const body: unknown = await reply.json().catch(() => null);
  if (reply.status === 401 && isRecord(body)) {
    await forgetPerson();
    return { state: "signed out" };
  }
  if (!reply.ok || !isRecord(body) || typeof body.user !== "number") return { state: "no line" };
  const person: Person = {
    user: body.user,
    username: String(body.username),
    divisions: body.divisions as string[],
    chosen: String(body.chosen ?? ""),
    clockOffset: Date.parse(String(body.now)) - (started + Date.now()) / 2,
  };
  await storePerson(person);
  return { state: "signed in", person };
}
