/** Changes a site's stock by several operations, all or none. */
import { ApiError, call, exchange, NoConnection } from "./api";
import { type Item, listOf, type Place } from "./inventory";
import type { Schemas } from "./openapi";
import { applied } from "./ops";

/** A patch as we send it: what is unknown is left out, never null. */
export type Patch = Schemas["PatchBody"] & { reason?: string; team?: string };

/** The idempotency key and the time limit of a request. */
export interface Sending {
  key: string;
  seconds: number;
}

/** A new list, and the ETag of the one that it replaces. */
interface Whole {
  body: Item[];
  match: string;
}

/** The length of the date in a moment such as 2026-11-21T12:00:00. */
const DAY = 10;

/** Lists that were sent and got no reply, by key: they are repeated unchanged, because the server may have applied them. */
const unanswered = new Map<string, Whole>();

async function wholeList(place: Place, ops: Patch["ops"], refused: ApiError): Promise<Whole> {
  const { body, etag } = await exchange("GET", listOf(place), { path: { site: place.site } });
  if (etag === null) throw refused;
  return { body: applied(body, ops), match: etag };
}

async function replaceList(
  place: Place,
  patch: Patch,
  sending: Sending,
  refused: ApiError,
): Promise<void> {
  const { key } = sending;
  const { ops, ts, ...details } = patch;
  // The query takes a date only; either way, the change is dated at noon.
  const query = ts === undefined ? details : { ...details, ts: ts.slice(0, DAY) };
  for (let isLast = false; ; isLast = true) {
    const whole = unanswered.get(key) ?? (await wholeList(place, ops, refused));
    unanswered.set(key, whole);
    try {
      await call("POST", listOf(place), {
        path: { site: place.site },
        query,
        ...whole,
        ...sending,
      });
      unanswered.delete(key);
      return;
    } catch (error) {
      if (!(error instanceof NoConnection)) unanswered.delete(key);
      if (isLast || !(error instanceof ApiError && error.status === 412)) throw error;
    }
  }
}

/**
 * Applies operations to a site's stock and returns their number, by which they can be undone; null
 * without one. Only where the network refuses the method PATCH, the whole list is sent instead, and
 * only if it has not changed since it was read.
 */
export async function patchStock(
  place: Place,
  patch: Patch,
  sending: Sending,
): Promise<number | null> {
  try {
    const { operation } = await call("PATCH", listOf(place), {
      path: { site: place.site },
      body: patch,
      ...sending,
    });
    return operation;
  } catch (error) {
    if (!(error instanceof ApiError) || ![405, 501].includes(error.status)) throw error;
    await replaceList(place, patch, sending, error);
    return null;
  }
}
