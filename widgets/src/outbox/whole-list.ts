/**
 * A stock check where the network refuses the method PATCH: the whole list is sent instead, and only
 * if it has not changed since it was read.
 */
import { ApiError } from "../shared/api";
import type { Item } from "../shared/inventory";
import { applied, type Patch } from "../shared/ops";
import { isRecord } from "../shared/requests";
import type { Entry } from "./entry";
import { failureOf, type Meaning, meaningOf } from "./replies";
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
const CONFLICT = 409;
/** The status with which the server refuses a list that has changed since it was read. */
const CHANGED = 412;
const SECONDS = 60;
/** The length of the date in a moment such as 2026-11-21T12:00:00. */
const DAY = 10;

/** Returns whether a network refused the method of an entry. */
export function isMethodRefused({ request }: Entry, reply: Received | null): boolean {
  return request.method === "PATCH" && reply !== null && REFUSALS.includes(reply.status);
}

/** The list that an entry sends; null before it is read, undefined while the patch itself is sent. */
const wholeOf = ({ content }: Entry): Whole | null | undefined =>
  isRecord(content) ? (content.whole as Whole | null | undefined) : undefined;

/** Whether an entry is sent as a whole list from now on: the server would make both calls. */
export const isSentWhole = (entry: Entry): boolean => wholeOf(entry) !== undefined;

/** Keeps with the entry what is sent, or forgets it: without a reply it is repeated unchanged. */
async function remember(entry: Entry, whole: Whole | null): Promise<void> {
  await update(entry.id, ({ content }) => ({ content: { ...(content as object), whole } }));
}

/** Returns the meaning of a refusal that was found here: only a reply of the server proves anything. */
function meaningOfError({ status, message, fields, body }: ApiError, proof: number): Meaning {
  const failure = failureOf({
    status: proof,
    isOurs: true,
    body: body ?? { error: message, fields },
    etag: null,
    retryAfter: null,
  });
  return { kind: status === CONFLICT ? "conflict" : "refused", failure };
}

/**
 * Reads the list and applies the operations; a meaning is why that isn't possible. `proof` is the
 * status of the reply by which no earlier try was made, 0 without one.
 */
async function readWhole(
  { request }: Entry,
  { ops }: Patch,
  headers: Headers,
  proof: number,
): Promise<Whole | Meaning> {
  const read = await send(request.url, { headers }, SECONDS);
  const meaning = meaningOf(read);
  if (!read || meaning.kind !== "sent") return meaning;
  if (read.etag === null) return meaningOf(null);
  try {
    return { items: applied(read.body as Item[], ops), match: read.etag };
  } catch (error) {
    if (error instanceof ApiError) return meaningOfError(error, proof);
    throw error;
  }
}

/** Sends an entry as a whole list, where a network refuses the patch; null if it mustn't be sent any more. */
export async function replaceList(
  entry: Entry,
  headers: Headers,
  begin: () => Promise<boolean>,
): Promise<Meaning | null> {
  const patch = entry.request.json as Patch;
  const { ops: _, ts = "", ...details } = patch;
  // The query takes a date only; either way, the change is dated at noon.
  const query = new URLSearchParams({ ...details, ts: ts.slice(0, DAY) });
  let whole = wholeOf(entry) ?? null;
  for (let proof = 0; ; proof = CHANGED) {
    const next = whole ?? (await readWhole(entry, patch, headers, proof));
    if ("kind" in next) return next;
    await remember(entry, next);
    if (!(await begin())) return null;
    const reply = await send(
      `${entry.request.url}?${query}`,
      {
        method: "POST",
        headers: {
          ...headers,
          "Content-Type": "application/json",
          "Idempotency-Key": entry.id,
          "If-Match": next.match,
        },
        body: JSON.stringify(next.items),
      },
      SECONDS,
    );
    const meaning = meaningOf(reply);
    if (meaning.kind === "again") return meaning;
    await remember(entry, null);
    if (proof || reply?.status !== CHANGED) return meaning;
    whole = null;
  }
}

/** Sends as a whole list from now on an entry whose patch a network has refused. */
export async function replaceFirst(
  entry: Entry,
  headers: Headers,
  begin: () => Promise<boolean>,
): Promise<Meaning | null> {
  await remember(entry, null);
  let isSent = false;
  const meaning = await replaceList(entry, headers, () => {
    isSent = true;
    return begin();
  });
  if (isSent || meaning?.kind !== "again") return meaning;
  // Neither the patch nor the list has arrived, whatever became of reading it.
  return { ...meaning, isAnswered: true, failure: { ...meaning.failure, status: 0 } };
}
