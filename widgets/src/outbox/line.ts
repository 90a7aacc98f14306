/** The line to the server: whether there is one, who is signed in, and the token of their requests. */
import { isRecord } from "../shared/requests";
import { renewSession } from "../shared/session";
import { type Received, send } from "./requests";

/** Long enough for a name, a connection and its encryption on a line with replies after 2 s. */
const LIMIT_SECONDS = 12;

/** Who is signed in, as the server replies. */
export interface Session {
  user: number;
  username: string;
  divisions: string[];
  /** The chosen division; '' before the choice. */
  chosen: string;
  csrf: string;
  /** By how many ms the server's clock is ahead of this browser's. */
  clockOffset: number;
}

/** Why nothing can be sent at the moment. */
export type Problem =
  | { state: "no connection" }
  | { state: "busy"; retryAfter: number | null }
  | { state: "signed out" };

/** What the last test of the line found; `user` is who is signed in. */
export type Status = Problem | { state: "online"; user: number; username: string };

export type Line = Problem | { state: "online"; session: Session };

const NO_LINE: Problem = { state: "no connection" };
const SIGNED_OUT: Problem = { state: "signed out" };

function problemOf(reply: Received | null): Problem | null {
  if (!reply?.isOurs || !isRecord(reply.body)) return NO_LINE;
  if (reply.status === 401) return SIGNED_OUT;
  if (reply.status >= 500 || reply.status === 429)
    return { state: "busy", retryAfter: reply.retryAfter };
  return reply.status === 200 && typeof reply.body.user === "number" ? null : NO_LINE;
}

async function readOnce(): Promise<Problem | { session: Session; isExpired: boolean }> {
  const reply = await send("/session", { headers: { Accept: "application/json" } }, LIMIT_SECONDS);
  const problem = problemOf(reply);
  if (problem) return problem;
  const body = reply?.body as Record<string, unknown>;
  const now = Date.parse(String(body.now));
  return {
    isExpired: body.expired === true,
    session: {
      user: body.user as number,
      username: String(body.username),
      divisions: Array.isArray(body.divisions) ? body.divisions.map(String) : [],
      chosen: String(body.chosen ?? ""),
      csrf: String(body.csrf),
      clockOffset: Number.isNaN(now) ? 0 : now - Date.now(),
    },
  };
}

/** Tests the line by reading the session, and renews one that has expired. */
export async function readLine(): Promise<Line> {
  const read = await readOnce();
  if ("state" in read) return read;
  if (!read.isExpired) return { state: "online", session: read.session };
  const renewal = await renewSession(read.session.csrf);
  if (renewal === "unreachable") return NO_LINE;
  if (renewal === "refused") return SIGNED_OUT;
  const again = await readOnce();
  if ("state" in again) return again;
  return again.isExpired ? SIGNED_OUT : { state: "online", session: again.session };
}

/** Returns what to tell the person about the line. */
export function statusOf(line: Line): Status {
  if (line.state !== "online") return line;
  const { user, username } = line.session;
  return { state: "online", user, username };
}
