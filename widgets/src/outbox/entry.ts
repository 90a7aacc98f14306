/** An entry of the outbox: a change that was made in this browser and waits until the server has it. */
import { newKey } from "../shared/once";
import { isRecord } from "../shared/requests";

/** The version of the entries' format; the server reads this one and the one before it. */
export const SCHEMA = 2;

/** A delivery, withdrawal or transfer; a stock check; a vehicle check. */
export type Kind = "move" | "count" | "check";

/**
 * `waiting` entries are sent by themselves. The others wait for the person: `conflict` for a choice,
 * because the books have changed, and `refused` for a correction.
 */
export type State = "waiting" | "conflict" | "refused";

/** A request as it is sent; what was sent once never changes. */
export interface SentRequest {
  method: "POST" | "PATCH";
  url: string;
  /** The body of a JSON call, which carries the entry's id as its Idempotency-Key. */
  json?: unknown;
  /** The fields of a form, its key included; a page's form is sent as the page sends it. */
  form?: [name: string, value: string][];
}

/** Why the last try failed. */
export interface Failure {
  /** The status of the reply; 0 without a reply of the server. */
  status: number;
  code: string;
  message: string;
  fields: Record<string, string>;
  /** The reply's JSON. */
  body: unknown;
}

/** What keeps an entry from being sent: its person is editing it, or deciding about it. */
export interface Pause {
  /** What ends it: a page also by its end, a draft of the page's form outlives it. */
  by: "page" | "draft";
  /** When it began, in ms of this browser's clock. */
  at: number;
}

export interface Entry {
  /** The idempotency key. */
  id: string;
  schema: number;
  user: number;
  username: string;
  division: string;
  kind: Kind;
  /** Entries of one subject, such as a site's stock, are sent in the order in which they were made. */
  subject: string;
  /** What it does, such as 'Withdraw 5 × HAND WARMER'. */
  title: string;
  /** Where and for whom, such as 'GFM Main · Kitchen'. */
  detail: string;
  /** The address of the page on which it was made. */
  page: string;
  request: SentRequest;
  /** What its kind needs to show it again for an edit. */
  content: unknown;
  /** The hashes of the photos that are sent first. */
  photos: string[];
  /** When it was made, in ms of this browser's clock. */
  madeAt: number;
  /** By how many ms the server's clock was ahead then; null where that wasn't known. */
  clockOffset: number | null;
  /** Its place among all entries, since a clock may jump; given when it is kept. */
  order: number;
  state: State;
  pause: Pause | null;
  /** Whether a request was sent that got no reply: the server may have made the change. */
  isUnanswered: boolean;
  /** Whether a copy of it is or was in a file, from which it may be sent elsewhere. */
  hasCopy: boolean;
  /** Whether its person has confirmed it, though it was made long ago. */
  isConfirmed: boolean;
  tries: number;
  /** How many of them got a reply of the server. */
  answeredTries: number;
  /** When it may be tried again, in ms of this browser's clock. */
  nextAt: number;
  failure: Failure | null;
}

/** Whether an entry is sent by itself. */
export function isWaiting({ state, pause }: Entry): boolean {
  return state === "waiting" && pause === null;
}

/** A photo of an entry. */
export interface EntryPhoto {
  entry: string;
  hash: string;
  name: string;
  data: ArrayBuffer;
}

/** A photo as it is given with its entry. */
export type Photo = Omit<EntryPhoto, "entry">;

type Made = "user" | "username" | "division" | "kind" | "subject" | "title" | "detail" | "page";

/** What an entry is made of. */
export type NewEntry = Pick<Entry, Made | "request" | "content"> &
  Partial<Pick<Entry, "id" | "photos" | "madeAt">>;

/** Returns the day that a change is of, such as '2026-11-21'; '' for the day on which it was made. */
export function dayOf({ request: { form, json } }: Pick<Entry, "request">): string {
  const fields = form ? Object.fromEntries(form) : isRecord(json) ? json : {};
  return typeof fields.date === "string" ? fields.date : "";
}

/** Makes an entry of now, under a new key unless it is given. */
export function makeEntry(values: NewEntry): Entry {
  return {
    id: newKey(),
    schema: SCHEMA,
    photos: [],
    madeAt: Date.now(),
    clockOffset: null,
    order: 0,
    state: "waiting",
    pause: null,
    isUnanswered: false,
    hasCopy: false,
    isConfirmed: false,
    tries: 0,
    answeredTries: 0,
    nextAt: 0,
    failure: null,
    ...values,
  };
}
