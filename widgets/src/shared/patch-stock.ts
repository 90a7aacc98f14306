/** Changes of a site's stock that apply whole or not at all. */
import { ApiError, call, exchange, NoConnection } from "./api";
import { type Item, listOf, type Place } from "./inventory";
import type { Schemas } from "./openapi";
import { applied } from "./ops";

export type Patch = Schemas["PatchBody"];

/** How a change is sent: its key makes it count once. */
export interface Sending {
  key: string;
  seconds: number;
}

/** A whole list as it is to be, and the tag of the one that it replaces. */
interface Whole {
  body: Item[];
  match: string;
}

/** How long a day is that a moment such as 2026-11-21T12:00:00 begins with. */
const DAY = 10;

/** What was sent and got no answer, by its key: it goes again as it went, for it may have counted. */
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
  const { ops, ts, ...said } = patch;
  // The address tells a day; it is booked at noon either way.
  const query = ts === undefined ? said : { ...said, ts: ts.slice(0, DAY) };
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
 * Applies operations to a site's stock and returns the number under which they can be undone, null
 * for none. Only where the network refuses the method PATCH (design §9) the whole list is sent in
 * its place, and only if it is still the one that was read.
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
