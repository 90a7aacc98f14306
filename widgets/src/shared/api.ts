/** Requests to the server, with the CSRF token, idempotency keys, a time limit and one renewal of the session. */
import { noReplyMessage } from "./failures";
import type { Given, Reply, Served, Verb } from "./openapi";
import { endsAfter, isRecord } from "./requests";
import { csrfToken, renewSession, signInAgain } from "./session";

/** A refusal by the server: `fields` has the errors of single fields, `code` is the reason for programs. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Record<string, string>,
    readonly body: unknown,
  ) {
    super(message);
  }

  /** The stable name of the reason, such as `key_reused`; '' without one. */
  get code(): string {
    return isRecord(this.body) ? String(this.body.code ?? "") : "";
  }
}

/** The server did not reply, so the change may or may not have been made. */
export class NoConnection extends Error {}

/** The session has ended and the browser is on its way to the sign-in; drafts remain saved. */
export class SignedOut extends Error {}

export interface Options {
  /** Sent as JSON; a file is sent as it is. */
  body?: unknown;
  /** The idempotency key: a change is made once, however often it is sent. */
  key?: string | undefined;
  /** The ETag of the list that this replaces. */
  match?: string;
  seconds?: number;
}

/** A reply, with the ETag of the list that it contains. */
export interface Answer<Body> {
  body: Body;
  etag: string | null;
}

const REFUSED_BY_NETWORK =
  "The network refuses this. Nothing is lost: try another network, or try again later.";
/** The statuses with which a proxy or filter refuses a request. */
const NETWORK_REFUSALS = [403, 405, 501];
const MAX_WAIT_SECONDS = 10;

function send(
  method: string,
  address: string,
  { body, key, match, seconds = 20 }: Options,
): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "X-CSRFToken": csrfToken(),
  };
  if (key) headers["Idempotency-Key"] = key;
  if (match) headers["If-Match"] = match;
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "text/csv" : "application/json";
  const init: RequestInit = { method, headers, signal: endsAfter(seconds) };
  if (body !== undefined) init.body = isFile ? body : JSON.stringify(body);
  return fetch(address, init);
}

/** Sends a GET, and repeats it once when a busy server names a short wait. */
async function sendPatiently(send: () => Promise<Response>): Promise<Response> {
  const reply = await send();
  const wait = Number(reply.headers.get("Retry-After") ?? NaN);
  if (![429, 503].includes(reply.status) || !(wait <= MAX_WAIT_SECONDS)) return reply;
  await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  return send();
}

function refusal(status: number, body: unknown): Error {
  const reply = isRecord(body) ? body : {};
  const isOurs = typeof reply.error === "string";
  // A proxy that replies in the server's place can't know about the change, unless it refuses the method.
  if (!isOurs && status >= 500 && status !== 501) return new NoConnection();
  const fields = isRecord(reply.fields) ? (reply.fields as Record<string, string>) : {};
  return new ApiError(status, isOurs ? String(reply.error) : "", fields, body);
}

/** Sends a request, and repeats it once when an expired session could be renewed. */
export async function renewingOnce<Replied extends { status: number }>(
  send: () => Promise<Replied>,
): Promise<Replied> {
  const reply = await send();
  if (reply.status !== 401) return reply;
  const renewal = await renewSession();
  if (renewal === "unreachable") throw new NoConnection();
  return renewal === "renewed" ? send() : reply;
}

/** Returns the body of a reply; throws ApiError, NoConnection or SignedOut. */
export function readReply<Body>(status: number, text: string): Body {
  const isOk = status >= 200 && status < 300;
  if (status === 401) {
    signInAgain();
    throw new SignedOut();
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (isOk) throw new NoConnection();
  }
  if (!isOk) throw refusal(status, body);
  return body as Body;
}

/** Sends a request to any address of the server, and returns its reply. */
export async function request<Body>(
  method: string,
  address: string,
  options: Options = {},
): Promise<Answer<Body>> {
  const sendOnce = () => send(method, address, options);
  let reply: Response;
  let text: string;
  try {
    reply = await renewingOnce(method === "GET" ? () => sendPatiently(sendOnce) : sendOnce);
    text = await reply.text();
  } catch {
    throw new NoConnection();
  }
  return { body: readReply<Body>(reply.status, text), etag: reply.headers.get("ETag") };
}

/**
 * The prefix of calls that are served without one too. Stock and history are not: without
 * it, they are those of the chosen division, and another tab may have chosen another one.
 */
const PREFIX = /^\/api\/(?:gpm|fleet)\/(?!inventory|history)/;

function isMissingRoute(error: unknown): boolean {
  return error instanceof ApiError && error.code === "no_such_route";
}

type Limits = Pick<Options, "seconds" | "match">;
type Arguments<V extends Verb, P> =
  object extends Given<V, P> ? [given?: Given<V, P> & Limits] : [given: Given<V, P> & Limits];

/** Fills in the parameters of a path and adds the query. */
function addressOf(path: string, gaps: Record<string, unknown> = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(gaps[name])),
  );
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return parameters.length > 0
    ? `${filled}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`
    : filled;
}

/** Sends one call of the JSON API as the server describes it, and returns its reply with the list's tag. */
export async function exchange<V extends Verb, P extends Served<V>>(
  verb: V,
  path: P,
  ...[given]: Arguments<V, P>
): Promise<Answer<Reply<V, P>>> {
  const {
    path: gaps,
    query,
    ...options
  } = (given ?? {}) as Options & { path?: Record<string, unknown>; query?: object };
  const address = addressOf(path, gaps, query);
  try {
    return await request(verb, address, options);
  } catch (error) {
    const plain = address.replace(PREFIX, "/api/");
    if (plain === address || !isMissingRoute(error)) throw error;
    return request(verb, plain, options);
  }
}

/** Sends one call of the JSON API as the server describes it, and returns its reply. */
export async function call<V extends Verb, P extends Served<V>>(
  verb: V,
  path: P,
  ...given: Arguments<V, P>
): Promise<Reply<V, P>> {
  return (await exchange(verb, path, ...given)).body;
}

/** Returns the message of a failure: the server's where it sent one, else ours. */
export function failureMessage(error: unknown, otherwise: string, isChange = true): string {
  if (error instanceof SignedOut) return "Signed out. What you typed is saved.";
  if (error instanceof NoConnection) return noReplyMessage(otherwise, isChange);
  if (!(error instanceof ApiError)) return otherwise;
  if (error.message) return error.message;
  return isChange && NETWORK_REFUSALS.includes(error.status)
    ? `${otherwise}. ${REFUSED_BY_NETWORK}`
    : otherwise;
}
