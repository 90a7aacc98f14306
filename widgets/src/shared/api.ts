/** The widgets' way to the server: JSON with our token, one renewal of the session, and a time limit. */
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

export interface Call {
  /** Sent as JSON, or as it stands when it is a file. */
  body?: unknown;
  /** Makes a change count once, however often it is sent. */
  key?: string;
  seconds?: number;
}

const NOT_SURE = "No connection. Nothing is lost: try again, it counts only once.";

function send(method: string, address: string, { body, key, seconds = 20 }: Call): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  if (key) headers["Idempotency-Key"] = key;
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "text/csv" : "application/json";
  const init: RequestInit = { method, headers, signal: AbortSignal.timeout(seconds * 1000) };
  if (body !== undefined) init.body = isFile ? body : JSON.stringify(body);
  return fetch(address, init);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusal(status: number, body: unknown): Error {
  const told = isRecord(body) ? body : {};
  const ours = typeof told.error === "string";
  // A proxy or gateway that answers in our place knows nothing of the change.
  if (!ours && status >= 500) return new NoConnection();
  const fields = isRecord(told.fields) ? (told.fields as Record<string, string>) : {};
  return new ApiError(status, ours ? String(told.error) : "", fields, body);
}

/** Sends, and once more where an ended session could be renewed. */
export async function renewingOnce<Reply extends { status: number }>(send: () => Promise<Reply>): Promise<Reply> {
  const reply = await send();
  if (reply.status !== 401) return reply;
  const renewal = await renewSession();
  if (renewal === "unreachable") throw new NoConnection();
  return renewal === "renewed" ? send() : reply;
}

/** Returns what a reply says, or throws what its refusal means. */
export function readReply<Reply>(status: number, text: string): Reply {
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
  return body as Reply;
}

/** Sends one call and returns what the server replied. */
export async function call<Reply>(method: string, address: string, options: Call = {}): Promise<Reply> {
  let reply: Response;
  let text: string;
  try {
    reply = await renewingOnce(() => send(method, address, options));
    text = await reply.text();
  } catch {
    throw new NoConnection();
  }
  return readReply(reply.status, text);
}

/** Says what went wrong, in the server's words where it gave some. */
export function sayFailure(error: unknown, otherwise: string, isChange = true): string {
  if (error instanceof SignedOut) return "Signed out. What you typed is kept.";
  if (error instanceof NoConnection) return isChange ? NOT_SURE : `${otherwise}. No connection.`;
  return error instanceof ApiError && error.message ? error.message : otherwise;
}
