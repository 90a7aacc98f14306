/**
 * A stock check where the network refuses the method PATCH: the whole list is sent instead, and only
 * if it has not changed since it was read.
 */
import { ApiError } from "../shared/api";
import type { Item } from "../shared/inventory";
import { applied, type Patch } from "../shared/ops";
import { isRecord } from "../shared/requests";
import type { Entry } from "./entry";
import { type Received, send } from "./requests";
import { update } from "./store";

/** A new list, and the ETag of the one that it replaces. */
interface Whole {
  items: Item[];
  match: string;
}

type Headers = Record<string, string>;

/** The statuses with which a proxy refuses a method. */
const REFUSALS = [405, 501];
const SECONDS = 60;
/** The length of the date in a moment such as 2026-11-21T12:00:00. */
const DAY = 10;

/** Returns whether a network refused the method of an entry. */
export function isMethodRefused({ request }: Entry, reply: Received | null): boolean {
  return request.method === "PATCH" && reply !== null && REFUSALS.includes(reply.status);
}

/** Keeps with the entry what is sent, or forgets it: without a reply it is repeated unchanged. */
async function remember(entry: Entry, whole: Whole | null): Promise<void> {
  await update(entry.id, ({ content }) => ({ content: { ...(content as object), whole } }));
}

/** Returns a refusal as the server would reply it. */
function replyOf({ status, message, fields, body }: ApiError): Received {
  const reply = body ?? { error: message, fields };
  return { status, isOurs: true, body: reply, etag: null, retryAfter: null };
}

/** Reads the list and applies the operations; a reply is why that isn't possible. */
async function readWhole(
  { request }: Entry,
  { ops }: Patch,
  headers: Headers,
  refused: Received | null,
): Promise<Whole | Received | null> {
  const read = await send(request.url, { headers }, SECONDS);
  if (!read?.isOurs || read.status !== 200) return read;
  if (read.etag === null) return refused;
  try {
    return { items: applied(read.body as Item[], ops), match: read.etag };
  } catch (error) {
    if (error instanceof ApiError) return replyOf(error);
    throw error;
  }
}

/** Sends the whole list in place of a patch that the network `refused`, and returns the reply. */
export async function replaceList(
  entry: Entry,
  headers: Headers,
  refused: Received | null,
): Promise<Received | null> {
  const patch = entry.request.json as Patch;
  const { ops: _, ts = "", ...details } = patch;
  // The query takes a date only; either way, the change is dated at noon.
  const query = new URLSearchParams({ ...details, ts: ts.slice(0, DAY) });
  let stored = isRecord(entry.content) ? (entry.content.whole as Whole | null | undefined) : null;
  for (let isLast = false; ; isLast = true) {
    const whole = stored ?? (await readWhole(entry, patch, headers, refused));
    if (whole === null || !("items" in whole)) return whole;
    await remember(entry, whole);
    const reply = await send(
      `${entry.request.url}?${query}`,
      {
        method: "POST",
        headers: {
          ...headers,
          "Content-Type": "application/json",
          "Idempotency-Key": entry.id,
          "If-Match": whole.match,
        },
        body: JSON.stringify(whole.items),
      },
      SECONDS,
    );
    if (!reply?.isOurs || reply.status >= 500) return reply;
    await remember(entry, null);
    if (isLast || reply.status !== 412) return reply;
    stored = null;
  }
}
