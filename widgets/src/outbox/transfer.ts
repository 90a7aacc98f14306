/** Sends one entry: its photos first, then its request. */
import type { Entry, Failure, Photo } from "./entry";
import type { Session } from "./line";
import { failureOf, type Meaning, meaningOf } from "./replies";
import { type Received, send } from "./requests";
import { isMethodRefused, isSentWhole, replaceFirst, replaceList } from "./whole-list";

/** How long the reply to a form may take, and to a call, which may have a whole list. */
const FORM_SECONDS = 20;
const CALL_SECONDS = 60;
const HEAD_SECONDS = 20;
const PHOTO_SECONDS = 120;
const PHOTO_TYPE = "image/jpeg";
const PHOTO_LOST: Failure = {
  status: 0,
  code: "photo_lost",
  message: "A photo isn't on this device any more. Edit the check and add it again.",
  fields: {},
  body: null,
};

type Headers = Record<string, string>;

/** The longest wait in seconds that the server believes; a longer one is a fault of a clock. */
const LONGEST_WAIT = 2 * 365 * 24 * 3600;

/** Returns how many whole seconds ago an entry was made; by the server's clock where that was known. */
function ageOf(entry: Entry, session: Session, now: number): number {
  const ahead = entry.clockOffset === null ? 0 : session.clockOffset - entry.clockOffset;
  const seconds = Math.floor((now + ahead - entry.madeAt) / 1000);
  return Math.min(Math.max(0, seconds), LONGEST_WAIT);
}

/** Returns the headers of whatever is sent for an entry. */
export function headersOf(entry: Entry, session: Session): Headers {
  return {
    Accept: "application/json",
    "X-CSRFToken": session.csrf,
    "Outbox-User": String(entry.user),
    "Outbox-Schema": String(entry.schema),
    "Outbox-Age": String(ageOf(entry, session, Date.now())),
    ...(entry.isConfirmed ? { "Outbox-Confirmed": "1" } : {}),
  };
}

/** Returns how long the reply to an entry may take. */
export function secondsOf({ request }: Entry): number {
  return request.form ? FORM_SECONDS : CALL_SECONDS;
}

/** Replies to HEAD after which a photo is sent: it isn't there, or the reply to PUT says why not. */
const PUT_AFTER = [404, 403];

/** Sends the photos that the server doesn't have; null once it has them all. */
async function sendPhotos(
  entry: Entry,
  photos: readonly Photo[],
  headers: Headers,
  isRepeat: boolean,
): Promise<Meaning | null> {
  for (const hash of entry.photos) {
    const address = `/api/photos/${hash}`;
    const head = isRepeat ? null : await send(address, { method: "HEAD", headers }, HEAD_SECONDS);
    if (head?.isOurs && head.status === 200) continue;
    const isToPut = head?.isOurs && PUT_AFTER.includes(head.status);
    if (!isRepeat && !isToPut) return headMeaning(head);
    const photo = photos.find((each) => each.hash === hash);
    if (!photo) return { kind: "refused", failure: PHOTO_LOST };
    const put = await send(
      address,
      { method: "PUT", headers: { ...headers, "Content-Type": PHOTO_TYPE }, body: photo.data },
      PHOTO_SECONDS,
    );
    const meaning = meaningOf(put);
    if (meaning.kind !== "sent") return meaning;
  }
  return null;
}

/** Returns the meaning of a reply without a body, whose code is therefore missing. */
function headMeaning(head: Received | null): Meaning {
  if (head?.isOurs && head.status >= 400 && head.status < 500 && head.status !== 401)
    return { kind: "again", failure: failureOf(head), isAnswered: true, retryAfter: null };
  return meaningOf(head);
}

function requestOf(entry: Entry, headers: Headers): RequestInit {
  const { method, json, form } = entry.request;
  if (form) return { method, headers, body: new URLSearchParams(form) };
  return {
    method,
    headers: { ...headers, "Content-Type": "application/json", "Idempotency-Key": entry.id },
    body: JSON.stringify(json),
  };
}

/**
 * Sends an entry once. `begin` is called before its request leaves, when its photos have arrived; it
 * returns whether to go on.
 */
export async function sendEntry(
  entry: Entry,
  photos: readonly Photo[],
  session: Session,
  begin: () => Promise<boolean>,
): Promise<Meaning | null> {
  const headers = headersOf(entry, session);
  let isRepeat = false;
  for (;;) {
    const unsent = await sendPhotos(entry, photos, headers, isRepeat);
    if (unsent) return unsent;
    if (isSentWhole(entry)) return replaceList(entry, headers, begin);
    if (!(await begin())) return null;
    const reply = await send(entry.request.url, requestOf(entry, headers), secondsOf(entry));
    // A patch that may have arrived is only repeated: a whole list would count beside it.
    if (isMethodRefused(entry, reply) && !entry.isUnanswered)
      return replaceFirst(entry, headers, begin);
    const meaning = meaningOf(reply);
    if (meaning.kind !== "photos missing") return meaning;
    if (isRepeat || entry.photos.length === 0) return { kind: "refused", failure: meaning.failure };
    isRepeat = true;
  }
}
