/** What an entry in a file must be like: a file may come from anybody, and is sent in a person's name. */
import { isRecord } from "../shared/requests";
import type { Entry, Kind } from "./entry";

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isFlag: Test = (value) => typeof value === "boolean";
const isNothing: Test = (value) => value === undefined;

const textLike =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === "string" && pattern.test(value);

const oneOf =
  (...allowed: readonly unknown[]): Test =>
  (value) =>
    allowed.includes(value);

const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || value === null || test(value);

const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

const recordOf =
  (test: Test): Test =>
  (value) =>
    isRecord(value) && Object.values(value).every(test);

/** Whether a record has these fields; it may have others. */
const withFields =
  (tests: Record<string, Test>): Test =>
  (value) =>
    isRecord(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

/** A path of this site: neither '//elsewhere' nor characters that a browser leaves out. */
const isPath = textLike(/^\/(?!\/)[\w./?&=%+-]*$/);
const isStore = textLike(/^(\/gpm)?\/inventory\/\w+$/);
const isChoice = withFields({ value: isText, label: isText });

const isPair: Test = (value) => Array.isArray(value) && value.length === 2 && isText(value[0]);
const isField: Test = (value) => isPair(value) && (value as unknown[]).every(isText);

/** The requests that each kind sends; nothing else is sent from a file. */
const REQUESTS: Record<Kind, Test> = {
  move: withFields({
    method: oneOf("POST"),
    url: textLike(/^(\/gpm)?\/inventory\/\w+\/items\/\d+\/action(\?[\w=&-]*)?$/),
    form: listOf(isField),
    json: isNothing,
  }),
  count: withFields({
    method: oneOf("PATCH"),
    url: textLike(/^\/api\/(gfm|gpm)\/inventory\/\w+$/),
    json: withFields({ ops: listOf(isRecord) }),
    form: isNothing,
  }),
  check: withFields({
    method: oneOf("POST"),
    url: textLike(/^\/api\/(fleet|gpm)\/checks$/),
    json: isRecord,
    form: isNothing,
  }),
};

/** What each kind needs to show an entry again. */
const CONTENTS: Record<Kind, Test> = {
  move: withFields({
    store: withFields({
      division: oneOf("gfm", "gpm"),
      site: isText,
      address: isStore,
      label: isText,
    }),
    item: withFields({
      id: isNumber,
      name: isText,
      amount: isNumber,
      unit: isText,
      unitPrice: optional(isNumber),
    }),
    offers: withFields({
      teams: listOf(isText),
      deliveryTeams: listOf(isText),
      withdrawalTeams: listOf(isText),
      destinations: listOf(isChoice),
    }),
    action: oneOf("delivery", "withdrawal", "transfer"),
    quantity: isNumber,
    destination: isText,
    fields: recordOf(isText),
  }),
  count: withFields({
    site: isText,
    items: listOf(isRecord),
    parts: listOf(isPair),
    whole: optional(withFields({ items: listOf(isRecord), match: isText })),
  }),
  check: withFields({
    answers: withFields({
      formType: isText,
      values: recordOf(isText),
      cost: isText,
      day: isText,
    }),
    earlier: listOf(isRecord),
  }),
};

const isAnyEntry = withFields({
  id: textLike(/^[\w-]+$/),
  schema: isNumber,
  username: isText,
  kind: oneOf("move", "count", "check"),
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
  if (!REQUESTS[kind](request) || !CONTENTS[kind](content)) return false;
  // A form has its key among its fields; under another one it would count beside this entry.
  const keys = request.form?.filter(([name]) => name === "key") ?? [["key", id]];
  return keys.length === 1 && keys[0]?.[1] === id;
}
