/** Hands a count to the outbox, which applies it once. */

import { deliver, entry, makeEntry, NotKept, remove, replace } from "../outbox";
import { clockOffsetOf } from "../outbox/clock";
import type { CountContent } from "../outbox/count";
import { paused } from "../outbox/editing";
import type { Entry } from "../outbox/entry";
import { usernameOf } from "../outbox/people";
import { errorOf, forPeople } from "../outbox/refusals";
import { NotWaiting } from "../outbox/store";
import { watchKept } from "../outbox/watch";
import type { WatchKept } from "../shared/Kept";
import { isRecord } from "../shared/requests";
import { stockName } from "../shared/stores";
import { londonDay } from "../shared/times";
import type { Props } from "./props";
import type { Request } from "./request";
import type { CountStore } from "./store";

export { resume } from "../outbox/editing";
export { keptList } from "./kept-list";

/** When a count was made: of one that is edited, when it was applied first. */
export interface Made {
  day: string;
  /** The entry that it takes the place of. */
  before: Entry | null;
}

/** What became of a count: it is applied, by an operation with a number, or kept until then. */
export type Handed =
  | { state: "applied"; operation: number | null }
  | { state: "kept"; watch: WatchKept };

/**
 * Returns when a count is made; the page's day is that of its opening, perhaps without a connection.
 * Throws ApiError for an edit of a count that isn't kept any more.
 */
export function madeOn(id: string | undefined, props: Props): Promise<Made> {
  return forPeople(() => readMade(id, props));
}

async function readMade(id: string | undefined, { user, today }: Props): Promise<Made> {
  try {
    const before = id === undefined ? null : await entry(id);
    // Under another key it would count beside what was sent.
    if (id !== undefined && before === null) throw new NotWaiting();
    const offset = before?.clockOffset ?? (await clockOffsetOf(user));
    if (offset === null) return { day: today, before };
    return { day: londonDay(new Date((before?.madeAt ?? Date.now()) + offset)), before };
  } catch (error) {
    if (error instanceof NotKept) return { day: today, before: null };
    throw error;
  }
}

async function countEntry(
  store: CountStore,
  { user, division, site, siteLabel }: Props,
  request: Request,
  { before }: Made,
): Promise<Entry> {
  const { patch } = request;
  const content: CountContent = { site, items: store.items, parts: store.parts() };
  const text = JSON.stringify(patch);
  const isSame = before !== null && JSON.stringify(before.request.json) === text;
  const made = makeEntry({
    id: isSame ? before.id : await store.draft.keyFor(text),
    user,
    username: await usernameOf(user),
    division,
    kind: "count",
    subject: stockName({ division, site }),
    title: `Stock check of ${siteLabel}: ${request.size}`,
    detail: division.toUpperCase(),
    page: location.pathname,
    request: { method: "PATCH", url: `/api/${division}/inventory/${site}`, json: patch },
    content,
  });
  return before ? { ...made, madeAt: before.madeAt, clockOffset: before.clockOffset } : made;
}

/** Applies a count, or keeps it until it can be; throws ApiError when it is refused. */
export function sendCount(
  store: CountStore,
  props: Props,
  request: Request,
  made: Made,
): Promise<Handed> {
  return forPeople(() => handOver(store, props, request, made));
}

async function handOver(
  store: CountStore,
  props: Props,
  request: Request,
  made: Made,
): Promise<Handed> {
  const counted = await countEntry(store, props, request, made);
  if (made.before) await replace(made.before.id, counted);
  const outcome = await deliver(counted);
  if (outcome.state === "sent") {
    const { reply } = outcome;
    const operation = isRecord(reply) ? reply.operation : null;
    return { state: "applied", operation: typeof operation === "number" ? operation : null };
  }
  if (outcome.state === "waiting")
    return { state: "kept", watch: watchKept(counted.user, counted.id) };
  // The count is in the form again, with what was wrong with it; what was kept before stays so.
  if (made.before) await replace(counted.id, paused(made.before));
  else await remove(counted.id);
  throw errorOf(outcome.failure);
}
