/** The drafts of the check form: the unsent check itself, and who filled in the last one. */
import * as drafts from "../shared/drafts";
import { newKey } from "../shared/once";
import { londonDay } from "../shared/times";
import type { Answers } from "./check";
import { formOf, personFields } from "./fields";
import { UNANSWERED, type Unanswered } from "./outbox";
import type { Props, Template } from "./props";
import { plateKey } from "./vehicles";

const CHECK = "check";
const PERSON = "check-person";
const FORM_TYPE = "_formType";

/** The part of the draft that holds the form. */
export const FORM = "form";

/** The form as it is saved: with its key, so that no tab can save one without the other. */
export interface SavedForm extends Answers {
  key: string;
}

type Whose = Pick<Props, "user" | "division">;

export const ownerOf = ({ user, division }: Whose): drafts.Owner => ({
  user,
  division,
  site: "",
  kind: CHECK,
});
const personOwnerOf = (whose: Whose): drafts.Owner => ({ ...ownerOf(whose), kind: PERSON });

/** The initial state of the form. */
export interface Opened {
  /** The draft of an unsent check; null without one. */
  draft: drafts.Draft | null;
  answers: Answers;
  /** The idempotency key of the check, made when the check was started. */
  key: string;
  /** Requests that were sent and got no reply. */
  unanswered: Unanswered[];
  /** The vehicle of the draft, when the page was opened for another one; else ''. */
  otherVehicle: string;
  person: Record<string, string>;
}

/** Returns an empty form with the details of its person. */
export function emptyAnswers(person: Record<string, string>, templates: Template[]): Answers {
  const { [FORM_TYPE]: lastType, ...values } = person;
  const template = templates.find(({ key }) => key === lastType) ?? templates[0];
  return { formType: template?.key ?? "", values, cost: "0", day: londonDay() };
}

/** Loads the drafts and returns the initial state of the form. */
export async function openDraft(props: Props): Promise<Opened> {
  const { templates, vehicle } = props;
  const [draft, personDraft] = await Promise.all([
    drafts.load(ownerOf(props)),
    drafts.load(personOwnerOf(props)),
  ]);
  const person = Object.fromEntries(personDraft?.parts ?? []) as Record<string, string>;
  const empty = emptyAnswers(person, templates);
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
  const unanswered = (draft?.parts.get(UNANSWERED) ?? []) as Unanswered[];
  return { draft, answers, key, unanswered, otherVehicle, person };
}

/** Discards the draft of a check, unless another tab has started another check since. */
export async function discardDraft(owner: drafts.Owner, key: string): Promise<void> {
  const draft = await drafts.load(owner).catch(() => null);
  const currentKey = (draft?.parts.get(FORM) as SavedForm | undefined)?.key ?? key;
  if (currentKey === key) await drafts.discard(owner);
}

/** Saves who sent a check and on which form, and returns it. */
export async function savePerson(props: Props, answers: Answers): Promise<Record<string, string>> {
  const template = props.templates.find(({ key }) => key === answers.formType);
  const fields = template ? personFields(formOf(template)) : [];
  const person = Object.fromEntries(
    fields.map(({ name }) => [name, answers.values[name]?.trim() ?? ""]),
  );
  person[FORM_TYPE] = answers.formType;
  await drafts.putMany(personOwnerOf(props), Object.entries(person));
  return person;
}
