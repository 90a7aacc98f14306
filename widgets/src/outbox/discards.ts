/** Tells the server why an entry is discarded: what happened is not in its books. */
import type { Entry } from "./entry";
import { readLine } from "./line";
import { failureOf } from "./replies";
import { send } from "./requests";
import { headersOf } from "./transfer";

const ADDRESS = "/outbox/discarded";
const LIMIT_SECONDS = 20;
const NO_LINE = "No connection. It stays here until the server has your reason.";

/** An entry couldn't be discarded; the message is for people. */
export class NotDiscarded extends Error {}

/** Posts the reason for which an entry is discarded; throws NotDiscarded. */
export async function postDiscard(entry: Entry, reason: string): Promise<void> {
  const line = await readLine();
  if (line.state === "signed out") throw new NotDiscarded(`Sign in as ${entry.username} first.`);
  if (line.state !== "online") throw new NotDiscarded(NO_LINE);
  const reply = await send(
    ADDRESS,
    {
      method: "POST",
      headers: { ...headersOf(entry, line.session), "Content-Type": "application/json" },
      body: JSON.stringify({ entry: entry.id, title: entry.title, detail: entry.detail, reason }),
    },
    LIMIT_SECONDS,
  );
  if (!reply?.isOurs) throw new NotDiscarded(NO_LINE);
  if (reply.status >= 300) throw new NotDiscarded(failureOf(reply).message || NO_LINE);
}
