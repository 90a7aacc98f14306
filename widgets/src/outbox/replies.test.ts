// @vitest-environment node
import { expect, test } from "vitest";
import { meaningOf } from "./replies";
import type { Received } from "./requests";

const reply = (status: number, body: unknown = {}, more: Partial<Received> = {}): Received => ({
  status,
  body,
  isOurs: true,
  etag: null,
  retryAfter: null,
  ...more,
});

test("only a reply of the server with JSON means that it was sent", () => {
  expect(meaningOf(reply(200, { message: "Done" })).kind).toBe("sent");
  expect(meaningOf(reply(201, [])).kind).toBe("sent");
  expect(meaningOf(reply(200, null)).kind).toBe("again");
  expect(meaningOf(reply(200, { message: "Done" }, { isOurs: false })).kind).toBe("again");
  expect(meaningOf(null).kind).toBe("again");
});

test.each([
  [409, "already_made", "sent"],
  [401, "sign_in_required", "signed out"],
  [400, "csrf_token_invalid", "stale token"],
  [403, "other_user", "other user"],
  [403, "forbidden", "refused"],
  [403, "role_required", "refused"],
  [403, "read_only", "refused"],
  [404, "not_found", "refused"],
  [405, "method_not_allowed", "refused"],
  [409, "not_enough", "conflict"],
  [412, "precondition_failed", "conflict"],
  [413, "too_large", "refused"],
  [415, "unsupported", "refused"],
  [422, "invalid", "refused"],
  [422, "made_long_ago", "refused"],
  [422, "outbox_schema", "again"],
  [422, "photos_missing", "photos missing"],
  [408, "", "again"],
  [429, "throttled", "again"],
  [500, "internal", "again"],
  [503, "unavailable", "again"],
  [303, "", "again"],
])("%i %s means '%s'", (status, code, kind) => {
  expect(meaningOf(reply(status, { error: "No", code })).kind).toBe(kind);
});

test("an error of the field of photos means that some are missing", () => {
  const body = { error: "No", code: "invalid", fields: { "photos.0": "Unknown" } };
  expect(meaningOf(reply(422, body))).toMatchObject({
    kind: "photos missing",
    failure: { message: "No", fields: { "photos.0": "Unknown" } },
  });
});

test("a refusal by a proxy is none, and its wait is respected", () => {
  expect(meaningOf(reply(403, null, { isOurs: false, retryAfter: 30 }))).toMatchObject({
    kind: "again",
    isAnswered: false,
    retryAfter: 30,
    failure: { status: 0 },
  });
});
