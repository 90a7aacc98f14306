/** What a reply to an entry means. */
import { isRecord } from "../shared/requests";
import type { Failure } from "./entry";
import type { Received } from "./requests";

export type Meaning =
  | { kind: "sent"; reply: unknown }
  | { kind: "signed out" }
  | { kind: "stale token" }
  | { kind: "other user" }
  | { kind: "photos missing"; failure: Failure }
  | { kind: "conflict" | "refused"; failure: Failure }
  | { kind: "again"; failure: Failure; isAnswered: boolean; retryAfter: number | null };

const NO_REPLY: Failure = { status: 0, code: "", message: "", fields: {}, body: null };

export function failureOf(reply: Received): Failure {
  const body = isRecord(reply.body) ? reply.body : {};
  return {
    status: reply.status,
    code: String(body.code ?? ""),
    message: typeof body.error === "string" ? body.error : "",
    fields: isRecord(body.fields) ? (body.fields as Record<string, string>) : {},
    body: reply.body,
  };
}

const namesPhotos = ({ code, fields }: Failure): boolean =>
  code === "photos_missing" || Object.keys(fields).some((name) => name.startsWith("photos"));

/** Returns the meaning of a reply, null without one: only the server itself takes or refuses an entry. */
export function meaningOf(reply: Received | null): Meaning {
  if (!reply?.isOurs) {
    const failure = { ...NO_REPLY, status: 0, code: reply ? "foreign_reply" : "" };
    return { kind: "again", failure, isAnswered: false, retryAfter: reply?.retryAfter ?? null };
  }
  const { status, body, retryAfter } = reply;
  if (status >= 200 && status < 300 && body !== null) return { kind: "sent", reply: body };
  const failure = failureOf(reply);
  // It was made under this key long ago; only the words of that reply are lost.
  if (failure.code === "already_made") return { kind: "sent", reply: body };
  if (status === 401) return { kind: "signed out" };
  if (failure.code === "csrf_token_invalid") return { kind: "stale token" };
  if (failure.code === "other_user") return { kind: "other user" };
  if (status < 400 || status >= 500 || status === 408 || status === 429)
    return { kind: "again", failure, isAnswered: status >= 400, retryAfter };
  if (failure.code === "outbox_schema")
    return { kind: "again", failure, isAnswered: true, retryAfter: retryAfter ?? 15 * 60 };
  if (status === 409 || status === 412) return { kind: "conflict", failure };
  return { kind: namesPhotos(failure) ? "photos missing" : "refused", failure };
}
