/** The widgets' way to the server: our token, one renewal of the session, keys and a time limit. */
import type { Given, Reply, Served, Verb } from "./openapi";
import { endsAfter, isRecord } from "./requests";
import { csrfToken, renewSession, signInAgain } from "./session";

/** The server understood and said no; `fields` names what is wrong. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Record<string, string>,
    readonly body: unknown,
  ) {
    super(message);
  }
}

/** Nothing of ours answered, so nobody knows whether the change took effect. */
export class NoConnection extends Error {}

/** The session is over and the sign-in is on its way; what was typed is kept. */
export class SignedOut extends Error {}

export interface Options {
  /** Sent as JSON, or as it stands when it is a file. */
  body?: unknown;
  /** Makes a change count once, however often it is sent. */
  key?: string | undefined;
  /** The ETag of what this replaces. */
  match?: string;
  seconds?: number;
}

/** A reply, with the tag of the list that it brings. */
export interface Answer<Body> {
  body: Body;
  etag: string | null;
}

const NOT_SURE = "No connection. Nothing is lost: try again, it counts only once.";
const BY_NETWORK = "The network refuses this. Nothing is lost: try another network, or later.";
/** How a proxy or filter in between answers what it won't let through. */
const NETWORK_REFUSALS = [403, 405, 501];
const LONGEST_WAIT = 10;

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

/** Reads, and once more where a busy server says that it has time soon. */
async function readPatiently(read: () => Promise<Response>): Promise<Response> {
  const reply = await read();
  const wait = Number(reply.headers.get("Retry-After") ?? NaN);
  if (![429, 503].includes(reply.status) || !(wait <= LONGEST_WAIT)) return reply;
  await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  return read();
}

function refusal(status: number, body: unknown): Error {
  const told = isRecord(body) ? body : {};
  const ours = typeof told.error === "string";
  // A proxy or gateway that answers in our place knows nothing of the change, unless it refuses the method.
  if (!ours && status >= 500 && status !== 501) return new NoConnection();
  const fields = isRecord(told.fields) ? (told.fields as Record<string, string>) : {};
  return new ApiError(status, ours ? String(told.error) : "", fields, body);
}

/** Sends, and once more where an ended session could be renewed. */
export async function renewingOnce<Replied extends { status: number }>(
  send: () => Promise<Replied>,
): Promise<Replied> {
  const reply = await send();
  if (reply.status !== 401) return reply;
  const renewal = await renewSession();
  if (renewal === "unreachable") throw new NoConnection();
  return renewal === "renewed" ? send() : reply;
}

/** Returns what a reply says, or throws what its refusal means. */
export function readReply<Body>(status: number, text: string): Body {
  const isFine = status >= 200 && status < 300;
  if (status === 401) {
    signInAgain();
    throw new SignedOut();
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (isFine) throw new NoConnection();
  }
  if (!isFine) throw refusal(status, body);
  return body as Body;
}

/** Sends a request to any address of ours, and returns what the server answered. */
export async function request<Body>(
  method: string,
  address: string,
  options: Options = {},
): Promise<Answer<Body>> {
  const sent = () => send(method, address, options);
  let reply: Response;
  let text: string;
  try {
    reply = await renewingOnce(method === "GET" ? () => readPatiently(sent) : sent);
    text = await reply.text();
  } catch {
    throw new NoConnection();
  }
  return { body: readReply<Body>(reply.status, text), etag: reply.headers.get("ETag") };
}

/**
 * What means the same without its prefix. Without one, stock and history would be the chosen
 * division's, and another tab may have chosen another: one's count would change the other's stock.
 */
const PREFIX = /^\/api\/(?:gpm|fleet)\/(?!inventory|history)/;

function isMissingRoute(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 404 &&
    isRecord(error.body) &&
    error.body.code === "no_such_route"
  );
}

type Limits = Pick<Options, "seconds" | "match">;
type Arguments<V extends Verb, P> =
  {} extends Given<V, P> ? [given?: Given<V, P> & Limits] : [given: Given<V, P> & Limits];

/** Fills the gaps of an address and adds its query. */
function addressOf(path: string, gaps: Record<string, unknown> = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(gaps[name])),
  );
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  return said.length > 0
    ? `${filled}?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`
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

/** Says what went wrong, in the server's words where it gave some. */
export function sayFailure(error: unknown, otherwise: string, isChange = true): string {
  if (error instanceof SignedOut) return "Signed out. What you typed is kept.";
  if (error instanceof NoConnection) return isChange ? NOT_SURE : `${otherwise}. No connection.`;
  if (!(error instanceof ApiError)) return otherwise;
  if (error.message) return error.message;
  return isChange && NETWORK_REFUSALS.includes(error.status)
    ? `${otherwise}. ${BY_NETWORK}`
    : otherwise;
}
