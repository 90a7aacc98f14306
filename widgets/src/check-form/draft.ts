/** The draft of the check form, and what a check starts with. */
import * as drafts from "../shared/drafts";
import { CHECK, EDITED_CHECK, FORM } from "../shared/drafts";
import { plateKey } from "../shared/names";
import { newKey } from "../shared/once";
import type { Answers, SavedForm } from "../shared/saved-check";
import { todayBy } from "../shared/times";
import type { Body } from "./check";
import { formOf, personFields } from "./fields";
import { loadSending } from "./lazy";
import { savedPhotos } from "./photo-draft";
import type { Props, Start, Template } from "./props";

/** The part in which earlier releases kept requests that got no reply. */
const UNANSWERED = "unanswered";

interface Unanswered {
  key: string;
  body: Body;
}

type Whose = Pick<Props, "user" | "division">;

export const ownerOf = ({ user, division }: Whose): drafts.Owner => ({
  user,
  division,
  site: "",
  kind: CHECK,
});

/** The initial state of the form. */
export interface Opened {
  /** The draft of an unsent check; null without one. */
  draft: drafts.Draft | null;
  answers: Answers;
  /** The idempotency key of the check, made when the check was started. */
  key: string;
  /** Whether it is an edit of an entry of the outbox. */
  isEdit: boolean;
  /** By how many ms the server's clock is ahead of this browser's. */
  clockOffset: number;
  /** The vehicle of the draft, when the page was opened for another one; else ''. */
  otherVehicle: string;
}

/**
 * Returns an empty form with what a check starts with: a vehicle is chosen on every form, and the
 * booking of the page's address stays with whatever vehicle is chosen.
 */
export function emptyAnswers(
  start: Start,
  templates: Template[],
  today: string,
  booking: Props["booking"] = null,
): Answers {
  const template = templates.find(({ key }) => key === start.form) ?? templates[0];
  const plates = templates.flatMap((each) => formOf(each).plate?.name ?? []);
  const chosen = start.vehicle ? plates.map((name) => [name, start.vehicle]) : [];
  const values = { ...start.values, ...Object.fromEntries(chosen) };
  const step = booking ? { ...booking, plate: "" } : undefined;
  return { formType: template?.key ?? "", values, cost: "0", day: today, booking: step };
}

/**
 * Makes an entry of the outbox of the requests that a draft of an earlier release holds: what is in
 * the form is then an edit of it.
 */
async function handOver(props: Props, { parts, since }: drafts.Draft): Promise<void> {
  const { key = "", ...answers } = parts.get(FORM) as SavedForm;
  const sent = (parts.get(UNANSWERED) as Unanswered[]).filter((each) => each.key === key);
  const photos = savedPhotos(parts).flatMap(([, { name, hash, bytes }]) =>
    hash && bytes ? [{ name, hash, data: bytes }] : [],
  );
  const versions = sent.map(({ body }) => body).reverse();
  const template = props.templates.find((each) => each.key === answers.formType);
  const form = formOf(template ?? { key: "", label: "", fields: [] });
  const { keepUnanswered } = await loadSending();
  await keepUnanswered(props, { key, form, answers, versions, madeAt: since.getTime() }, photos);
  await drafts.putMany(ownerOf(props), [[EDITED_CHECK, key]], [UNANSWERED]);
}

/** Returns by how many ms the server's clock is ahead of this browser's. */
function clockOffsetOf({ now, person }: Props): number {
  return person ? person.clockOffset : Date.parse(now) - Date.now() || 0;
}

/** Loads the draft and returns the initial state of the form. */
export async function openDraft(props: Props): Promise<Opened> {
  const { templates, vehicle, start, booking } = props;
  const draft = await drafts.load(ownerOf(props));
  // Where that fails, they stay in the draft until the form is opened again.
  if (draft?.parts.has(UNANSWERED)) await handOver(props, draft).catch(() => undefined);
  // A page that is opened for a vehicle doesn't start with another one.
  const clockOffset = clockOffsetOf(props);
  const today = todayBy(clockOffset);
  const empty = emptyAnswers(vehicle ? { ...start, vehicle } : start, templates, today, booking);
  const { key = newKey(), ...saved } = (draft?.parts.get(FORM) ?? {}) as Partial<SavedForm>;
  const hasTemplate = templates.some((each) => each.key === saved.formType);
  const answers = { ...empty, ...saved, ...(hasTemplate ? {} : { formType: empty.formType }) };
  const template = templates.find((each) => each.key === answers.formType);
  const plate = template && formOf(template).plate?.name;
  if (plate && vehicle && !answers.values[plate]) {
    answers.values = { ...answers.values, [plate]: vehicle };
  }
  const reg = plate ? (answers.values[plate] ?? "") : "";
  const otherVehicle = vehicle && plateKey(reg) !== plateKey(vehicle) ? reg : "";
  const isEdit = draft?.parts.get(EDITED_CHECK) === key || draft?.parts.has(UNANSWERED) === true;
  answers.booking = booking && !otherVehicle && !isEdit ? empty.booking : saved.booking;
  return { draft, answers, key, isEdit, clockOffset, otherVehicle };
}

/** Discards the draft of a check, unless another tab has started another check since. */
export async function discardDraft(owner: drafts.Owner, key: string): Promise<void> {
  const draft = await drafts.load(owner).catch(() => null);
  const currentKey = (draft?.parts.get(FORM) as SavedForm | undefined)?.key ?? key;
  if (currentKey === key) await drafts.discard(owner);
}

/** Returns what the next check starts with after this one: no vehicle, but its person and form. */
export function nextStart({ start, templates }: Props, answers: Answers): Start {
  const template = templates.find(({ key }) => key === answers.formType);
  const form = template && formOf(template);
  const texts = (form ? personFields(form) : []).map(({ name }) => [
    name,
    answers.values[name]?.trim() ?? "",
  ]);
  const reg = form?.plate ? (answers.values[form.plate.name] ?? "") : "";
  const others = start.vehicles.filter((each) => plateKey(each) !== plateKey(reg));
  return {
    form: answers.formType,
    values: { ...start.values, ...Object.fromEntries(texts) },
    vehicle: "",
    vehicles: reg ? [reg, ...others] : others,
  };
}
