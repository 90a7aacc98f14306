/** An entry of the outbox: a change that was made in this browser and waits until the server has it. */

/** The version of the entries' format; the server reads this one and the one before it. */
export const SCHEMA = 1;

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
  state: State;
  /** Whether a request was sent that got no reply: the server may have made the change. */
  isUnanswered: boolean;
  tries: number;
  /** When it may be tried again, in ms of this browser's clock. */
  nextAt: number;
  failure: Failure | null;
}

/** A photo of an entry. */
export interface EntryPhoto {
  entry: string;
  hash: string;
  name: string;
  data: ArrayBuffer;
}
