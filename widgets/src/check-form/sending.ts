/**
 * Hands a check to the outbox under the key that it was started with, so that it is accepted only
 * once, even when it was changed, reloaded or sent from another tab meanwhile.
 */
import { deliver, entry, keep, makeEntry, NotKept, type Outcome, remove, replace } from "../outbox";
import type { CheckContent } from "../outbox/check";
import { paused, resume } from "../outbox/editing";
import type { Entry, Photo } from "../outbox/entry";
import { usernameOf } from "../outbox/people";
import { errorOf, forPeople } from "../outbox/refusals";
import { textsIn } from "../outbox/replied";
import { photosOf } from "../outbox/store";
import { watchKept } from "../outbox/watch";
import { ApiError } from "../shared/api";
import type { WatchKept } from "../shared/Kept";
import { describeStep, plateKey } from "../shared/names";
import type { Answers } from "../shared/saved-check";
import type { Body } from "./check";
import type { Form } from "./fields";
import type { Props } from "./props";

export { keptBriefings, keptVehicles } from "./kept-vehicles";
export { resume };

const ALREADY_SENT =
  "This check was already sent. See the checks list. To start another check, choose Reset.";

/** A check as it was filled in. */
export interface FilledIn {
  key: string;
  form: Form;
  answers: Answers;
  body: Body;
  /** That the vehicle mustn't be driven; '' if it may. */
  stop: string;
}

/** What became of a check: the server accepted it, or it is kept until then. */
export type Handed =
  | { state: "accepted"; warnings: string[]; messages: string[] }
  | { state: "kept"; watch: WatchKept };

/** Returns the names of the fields and items that differ; spaces and case of a plate are ignored. */
function differences(first: Body, second: Body): string[] {
  const isSamePlate = plateKey(first.reg) === plateKey(second.reg);
  const textsOf = ({ items, ...rest }: Body) => {
    const plain = (value: unknown) =>
      isSamePlate && value === rest.reg ? "" : JSON.stringify(value);
    return new Map(
      Object.entries({ ...rest, ...items }).map(([name, value]) => [name, plain(value)]),
    );
  };
  const [a, b] = [textsOf(first), textsOf(second)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** Returns a message naming the changes made after the version that the server accepted. */
function leftOutMessages(form: Form, changed: string[], now: Body): string[] {
  const parts: [string, string, string][] = [
    ...form.fields
      .filter((field) => field !== form.notes)
      .map(({ name, label }): [string, string, string] => [name, label, now.items[name] ?? ""]),
    ["notes", form.notes.label, now.notes],
    ["costGBP", "Repair/Expense (£)", now.costGBP.toFixed(2)],
    ["photos", "Photos", now.photos.map(({ name }) => name).join(", ")],
    ["_formType", "Form", form.label],
    ["driveReason", "Why it is driven", now.driveReason ?? ""],
    ["booking", "Booking", now.booking ? describeStep(now.booking) : ""],
    [
      "defects",
      "Open defects",
      now.defects.map(({ number, answer }) => `${number} ${answer}`).join(", "),
    ],
  ];
  const leftOut = parts
    .filter(([name]) => changed.includes(name))
    .map(([, label, text]) => (text ? `${label} "${text}"` : `${label} emptied`));
  return leftOut.length > 0
    ? [
        `Your first version was submitted. These later changes are not in it: ${leftOut.join(", ")}.`,
      ]
    : [];
}

const isSame = (first: Body, second: Body): boolean => differences(first, second).length === 0;

/** Whether the server has accepted another request under the same key. */
const isKeyReused = (outcome: Outcome): boolean =>
  "failure" in outcome && outcome.failure.code === "key_reused";

const bodyOf = (kept: Entry): Body => kept.request.json as Body;

function titleOf({ reg, photos: { length } }: Body): string {
  if (length === 0) return `Check of ${reg}`;
  return `Check of ${reg}, ${length} ${length === 1 ? "photo" : "photos"}`;
}

/** Makes the entry of a check; one that was kept before is replaced by it, in its place and of its time. */
async function checkEntry(
  { user, division }: Pick<Props, "user" | "division">,
  { key, form, answers, body, stop }: FilledIn,
  before: Entry | null,
): Promise<Entry> {
  const versions = before ? (before.content as CheckContent<Body>).earlier : [];
  const all = before?.isUnanswered ? [bodyOf(before), ...versions] : versions;
  const isRepeated = before !== null && isSame(bodyOf(before), body);
  const photos = body.photos.map(({ id }) => id);
  const content: CheckContent<Body> = {
    answers,
    earlier: all.filter((version) => !isSame(version, body)),
    stop,
  };
  const made = makeEntry({
    id: key,
    user,
    username: await usernameOf(user),
    division,
    kind: "check",
    subject: `check:${plateKey(body.reg)}`,
    title: titleOf(body),
    detail: body.booking ? `${form.label} · ${describeStep(body.booking)}` : form.label,
    page: location.pathname,
    // A request without a reply is repeated exactly as it was sent.
    request: {
      method: "POST",
      url: `/api/${division}/checks`,
      json: isRepeated ? bodyOf(before) : body,
    },
    content,
    photos,
  });
  return before ? { ...made, madeAt: before.madeAt, clockOffset: before.clockOffset } : made;
}

/** Returns the entry that has a key already; a browser without storage has none. */
async function kept(key: string): Promise<Entry | null> {
  try {
    return await entry(key);
  } catch (error) {
    if (error instanceof NotKept) return null;
    throw error;
  }
}

async function deliverVersion(made: Entry, body: Body, photos: readonly Photo[]): Promise<Outcome> {
  const version = { ...made, request: { ...made.request, json: body } };
  await replace(made.id, version, photos);
  return deliver(version, photos);
}

/**
 * Sends a check, or keeps it. Where the server has accepted an earlier version of it, whose reply
 * was lost, that version is read again.
 */
export function sendCheck(
  props: Pick<Props, "user" | "division">,
  filledIn: FilledIn,
  photos: readonly Photo[],
): Promise<Handed> {
  return forPeople(() => handOver(props, filledIn, photos));
}

async function handOver(
  props: Pick<Props, "user" | "division">,
  filledIn: FilledIn,
  photos: readonly Photo[],
): Promise<Handed> {
  const before = await kept(filledIn.key);
  const photosBefore = before ? await photosOf(before.id) : [];
  const made = await checkEntry(props, filledIn, before);
  const { earlier } = made.content as CheckContent<Body>;
  let body = bodyOf(made);
  if (before) await replace(made.id, made, photos);
  let outcome = await deliver(made, photos);
  for (const version of earlier) {
    if (!isKeyReused(outcome)) break;
    body = version;
    outcome = await deliverVersion(made, version, photos);
  }
  if (outcome.state === "sent") {
    const { reply } = outcome;
    const { form, body: now } = filledIn;
    const leftOut = leftOutMessages(form, differences(body, now), now);
    const warnings = [...textsIn(reply, "warnings"), ...leftOut];
    return { state: "accepted", warnings, messages: textsIn(reply, "messages") };
  }
  if (outcome.state === "waiting") {
    // Otherwise the changes would be lost without a word.
    if (body !== bodyOf(made)) await replace(made.id, made, photos);
    return { state: "kept", watch: watchKept(made.user, made.id) };
  }
  // What was kept before stays so, whatever becomes of its edit.
  if (before) await replace(made.id, paused(before), photosBefore);
  else await remove(made.id);
  throw isKeyReused(outcome) ? new ApiError(422, ALREADY_SENT, {}, null) : errorOf(outcome.failure);
}

/** A check that an earlier release sent without a reply, in some versions, the newest first. */
interface Unanswered extends Omit<FilledIn, "body" | "stop"> {
  versions: Body[];
  madeAt: number;
}

/** Keeps a check of an earlier release, which is edited in the form. */
export async function keepUnanswered(
  props: Pick<Props, "user" | "division">,
  { versions, madeAt, ...filledIn }: Unanswered,
  photos: readonly Photo[],
): Promise<void> {
  const [body, ...earlier] = versions;
  if (!body) return;
  const made = await checkEntry(props, { ...filledIn, body, stop: "" }, null);
  const content: CheckContent<Body> = { answers: filledIn.answers, earlier };
  await keep(paused({ ...made, content, madeAt, isUnanswered: true }), photos);
}
