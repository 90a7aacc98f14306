/** Requests of the outbox: a reply that isn't our server's, such as a captive portal's, is recognised. */
import { isOurs } from "../shared/failures";
import { endsAfter } from "../shared/requests";

/** A reply, of our server or of a proxy in its place. */
export interface Received {
  status: number;
  isOurs: boolean;
  /** The reply's JSON; null if it has none. */
  body: unknown;
  /** The ETag of the list that it contains; null without one. */
  etag: string | null;
  /** After how many seconds the server wants to be tried again; null if it doesn't say. */
  retryAfter: number | null;
}

const NO_BODY = "";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function secondsUntil(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const until = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return Number.isNaN(until) ? null : Math.max(0, until);
}

/** Sends a request and reads the whole reply; null without one in time. */
export async function send(
  address: string,
  init: RequestInit,
  seconds: number,
): Promise<Received | null> {
  try {
    const reply = await fetch(address, {
      ...init,
      cache: "no-store",
      // A portal redirects to its own page, which may well reply with 200.
      redirect: "manual",
      signal: endsAfter(seconds),
    });
    const text = await reply.text();
    const body = text === NO_BODY ? null : parse(text);
    return {
      status: reply.status,
      isOurs: isOurs((header) => reply.headers.get(header)) && body !== undefined,
      body: body ?? null,
      etag: reply.headers.get("ETag"),
      retryAfter: secondsUntil(reply.headers.get("Retry-After")),
    };
  } catch {
    return null;
  }
}
