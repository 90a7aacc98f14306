/** What the browser keeps for the check form: the check itself, and who its person is. */
import * as drafts from "../shared/drafts";
import { newKey } from "../shared/once";
import { londonDay } from "../shared/times";
import type { Filled } from "./check";
import { formOf, personFields } from "./fields";
import { UNANSWERED, type Unanswered } from "./outbox";
import type { Props, Template } from "./props";
import { plateKey } from "./vehicles";

export const CHECK = "check";
const PERSON = "check-person";
const FORM_TYPE = "_formType";

export const FORM = "form";

/** The form as it is kept: with its key, so that no tab can keep one without the other. */
export interface KeptForm extends Filled {
  key: string;
}

type Whose = Pick<Props, "user" | "division">;

/** Whose check it is. */
export const ownerOf = ({ user, division }: Whose): drafts.Owner => ({
  user,
  division,
  site: "",
  kind: CHECK,
});
const personOf = ({ user, division }: Whose): drafts.Owner => ({
  user,
  division,
  site: "",
  kind: PERSON,
});

/** What the form opens with. */
export interface Opened {
  /** The check that is kept, null for none. */
  kept: drafts.Draft | null;
  filled: Filled;
  /** Under what the check counts once, made when it is begun. */
  key: string;
  /** What was sent and got no answer. */
  unanswered: Unanswered[];
  /** The vehicle whose check is kept while the page was opened for another, '' otherwise. */
  other: string;
  person: Record<string, string>;
}

/** Returns a form with nothing filled in but what is known of its person. */
export function fresh(person: Record<string, string>, templates: Template[]): Filled {
  const { [FORM_TYPE]: known, ...values } = person;
  const template = templates.find(({ key }) => key === known) ?? templates[0];
  return { formType: template?.key ?? "", values, cost: "0", day: londonDay() };
}

/** Reads what is kept, and begins the form from it. */
export async function open(props: Props): Promise<Opened> {
  const { templates, vehicle } = props;
  const [kept, known] = await Promise.all([
    drafts.load(ownerOf(props)),
    drafts.load(personOf(props)),
  ]);
  const person = Object.fromEntries(known?.parts ?? []) as Record<string, string>;
  const begun = fresh(person, templates);
  const { key = newKey(), ...before } = (kept?.parts.get(FORM) ?? {}) as Partial<KeptForm>;
  const isKnown = templates.some(({ key }) => key === before.formType);
  const filled = { ...begun, ...before, ...(isKnown ? {} : { formType: begun.formType }) };
  const template = templates.find(({ key }) => key === filled.formType);
  const plate = template && formOf(template).plate?.name;
  if (plate && vehicle && !filled.values[plate])
    filled.values = { ...filled.values, [plate]: vehicle };
  const reg = plate ? (filled.values[plate] ?? "") : "";
  const other = vehicle && plateKey(reg) !== plateKey(vehicle) ? reg : "";
  const unanswered = (kept?.parts.get(UNANSWERED) ?? []) as Unanswered[];
  return { kept, filled, key, unanswered, other, person };
}

/** Throws away what is kept of a check, unless another tab has begun another one since. */
export async function discard(owner: drafts.Owner, key: string): Promise<void> {
  const kept = await drafts.load(owner).catch(() => null);
  const now = (kept?.parts.get(FORM) as KeptForm | undefined)?.key ?? key;
  if (now === key) await drafts.discard(owner);
}

/** Remembers who sent a check and on which form, and returns it. */
export async function rememberPerson(
  props: Props,
  filled: Filled,
): Promise<Record<string, string>> {
  const template = props.templates.find(({ key }) => key === filled.formType);
  const fields = template ? personFields(formOf(template)) : [];
  const person = Object.fromEntries(
    fields.map(({ name }) => [name, filled.values[name]?.trim() ?? ""]),
  );
  person[FORM_TYPE] = filled.formType;
  await drafts.putMany(personOf(props), Object.entries(person));
  return person;
}
