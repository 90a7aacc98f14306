/** Why an entry waits, in words. */
import { since } from "../shared/times";
import type { Entry } from "./entry";
import type { Status } from "./line";
import { blockersOf } from "./schedule";

const EDITED = "You have opened this to change it.";
const NO_CONNECTION = "No connection";
const SCHEMA = "Waits: this page is of another version of Quartermaster. Load it again.";

function ofLine(entry: Entry, status: Status | null): string | null {
  if (status?.state === "no connection") return NO_CONNECTION;
  if (status?.state === "signed out") return `Sign in as ${entry.username} to send`;
  if (status?.state !== "online") return null;
  return status.user === entry.user ? null : `Sign in as ${entry.username} to send`;
}

function cause({ failure }: Entry): string {
  if (failure?.status === 0 && failure.code) return "the network replied in the server's place";
  if (!failure || failure.status === 0) return "the server did not reply";
  if (failure.status === 429 || failure.status === 503) return "the server was busy";
  return failure.message || "the server had a fault";
}

/** Returns why a waiting entry waits. */
export function reasonOf(
  entry: Entry,
  entries: readonly Entry[],
  status: Status | null,
  now: number = Date.now(),
): string {
  if (entry.pause) return EDITED;
  const problem = ofLine(entry, status);
  if (problem) return problem;
  if (entry.failure?.code === "outbox_schema") return SCHEMA;
  const [blocker] = blockersOf(entry, entries);
  if (blocker) return `Waits until '${blocker.title}' is sent`;
  if (entry.nextAt > now && entry.tries > 0)
    return `Waits until ${since(new Date(entry.nextAt), new Date(now))}: ${cause(entry)}`;
  if (status?.state === "busy") return "The server is busy";
  return "Waits to be sent";
}
