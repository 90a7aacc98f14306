/** What an entry in a file must be like: a file may come from anybody, and is sent in a person's name. */
import type { Entry } from "./entry";
import { KINDS } from "./kinds";
import {
  isFlag,
  isNumber,
  isText,
  listOf,
  oneOf,
  optional,
  recordOf,
  textLike,
  withFields,
} from "./shapes";

/** A path of this site: neither '//elsewhere' nor characters that a browser leaves out. */
const isPath = textLike(/^\/(?!\/)[\w./?&=%+-]*$/);

const isAnyEntry = withFields({
  id: textLike(/^[\w-]+$/),
  schema: isNumber,
  username: isText,
  kind: oneOf(...Object.keys(KINDS)),
  division: isText,
  subject: isText,
  title: isText,
  detail: isText,
  page: isPath,
  // The name of a photo is a part of an address.
  photos: listOf(textLike(/^[0-9a-f]{64}$/)),
  madeAt: isNumber,
  clockOffset: optional(isNumber),
  state: oneOf("waiting", "conflict", "refused"),
  isConfirmed: isFlag,
  tries: isNumber,
  answeredTries: isNumber,
  failure: optional(
    withFields({ status: isNumber, code: isText, message: isText, fields: recordOf(isText) }),
  ),
});

/** Whether something is an entry of a user that may be kept and sent. */
export function isEntryOf(user: number, value: unknown): value is Entry {
  if (!isAnyEntry(value)) return false;
  const { id, user: owner, kind, request, content } = value as Entry;
  if (owner !== user) return false;
  if (!KINDS[kind].isRequest(request) || !KINDS[kind].isContent(content)) return false;
  // A form has its key among its fields; under another one it would count beside this entry.
  const keys = request.form?.filter(([name]) => name === "key") ?? [["key", id]];
  return keys.length === 1 && keys[0]?.[1] === id;
}
