/** The check as it is filled in: what is wrong with it (the second rule set of §5), and what is sent. */
import { parsePence, parseWhole } from "../shared/money";
import type { Schemas } from "../shared/openapi";
import type { Problem } from "../shared/Problems";
import { londonDay } from "../shared/times";
import { COST_ID, type Form, idOf, PHOTOS_ID } from "./fields";
import type { Field } from "./props";
import { type Vehicle, vehicleWith } from "./vehicles";

const LARGEST = 999_999_999;

export const PLATE_REQUIRED = "Vehicle number plate is required.";
export const WRONG_MILEAGE = "Mileage (odometer) must be a valid non-negative number.";
export const WRONG_COST = "Repair/Expense (£) must be a non-negative number.";
export const NO_MILEAGE_FIELD = "This form has no mileage field defined. Please update the schema.";
const missing = (labels: string[]): string =>
  `Please fill the required fields: ${labels.join(", ")}`;

/** What was filled in; the values also of fields that only another form has. */
export interface Filled {
  formType: string;
  values: Record<string, string>;
  cost: string;
  /** The day the check was begun, which is its date unless another is picked. */
  day: string;
}

/** The check as this form sends it: all of it is said, and its items are text. */
export interface Body extends Required<Schemas["CheckBody"]> {
  reg: string;
  odometer: number;
  items: Record<string, string>;
  photos: { name: string; id: string }[];
}

/** A problem with the ids of all controls it is about. */
interface Finding extends Problem {
  ids: string[];
}

/** What is wrong: above the form in a sentence each, and at the controls by their ids. */
export interface Findings {
  problems: Finding[];
  errors: Record<string, string>;
}

export const FINE: Findings = { problems: [], errors: {} };

/** Returns findings with one more, about a control or about the whole form. */
export function withProblem(
  { problems, errors }: Findings,
  message: string,
  target: string | null,
): Findings {
  return {
    problems: [...problems, { message, target, ids: target === null ? [] : [target] }],
    errors: target === null ? errors : { ...errors, [target]: message },
  };
}

/** Returns findings without what was about a control that is being mended. */
export function mendedAt(id: string, findings: Findings): Findings {
  if (!(id in findings.errors)) return findings;
  const { [id]: _mended, ...errors } = findings.errors;
  const problems = findings.problems.filter(
    ({ ids }) => ids.length === 0 || ids.some((each) => each in errors),
  );
  // The same list where none is gone: the summary takes the focus when it is told something new.
  return {
    problems: problems.length === findings.problems.length ? findings.problems : problems,
    errors,
  };
}

/** Returns the first control that still has the problem that a target stands for. */
export function stillWrong(target: string, { problems, errors }: Findings): string {
  return problems.find((each) => each.target === target)?.ids.find((id) => id in errors) ?? target;
}

/** Returns what a field holds. */
export function valueOf(form: Form, field: Field, { values, day }: Filled): string {
  return values[field.name] ?? (field === form.date ? day : "");
}

const textOf = (form: Form, field: Field | undefined, filled: Filled): string =>
  field ? valueOf(form, field, filled).trim() : "";

/** Reads whole miles of 0 or more; tenths are left out, as most odometers leave them. */
export function parseMiles(text: string): number | null {
  const miles = parseWhole(text.trim().replace(/\.\d+$/, ""));
  return miles !== null && miles <= LARGEST ? miles : null;
}

/** A plate must be chosen; where there are no vehicles to choose from, it may be any. */
function plateOf(text: string, vehicles: Vehicle[] | null): string {
  const reg = vehicles?.length ? (vehicleWith(text, vehicles)?.reg ?? "") : text;
  return reg.trim().toUpperCase();
}

function wrongIn(
  form: Form,
  field: Field,
  filled: Filled,
  vehicles: Vehicle[] | null,
): string | null {
  const text = textOf(form, field, filled);
  if (field === form.plate)
    return plateOf(text, field.type === "plate" ? vehicles : null) ? null : PLATE_REQUIRED;
  if (field === form.mileage) return parseMiles(text) === null ? WRONG_MILEAGE : null;
  if (field === form.date && text > londonDay()) return "The date can’t be in the future.";
  if (field.type === "number" && text && !/^-?[\d,]*\.?\d+$/.test(text))
    return `${field.label} must be a number.`;
  return null;
}

/** Returns what must be mended before anything is sent. */
export function findingsIn(form: Form, filled: Filled, vehicles: Vehicle[] | null): Findings {
  const empty = form.fields.filter((field) => field.required && !textOf(form, field, filled));
  let found: Findings = FINE;
  if (empty.length > 0) {
    const errors = empty.map((field) => [
      idOf(form, field),
      field === form.plate ? PLATE_REQUIRED : missing([field.label]),
    ]);
    const ids = empty.map((field) => idOf(form, field));
    found = {
      problems: [
        { message: missing(empty.map(({ label }) => label)), target: ids[0] ?? null, ids },
      ],
      errors: Object.fromEntries(errors),
    };
  }
  for (const field of form.fields) {
    const message = empty.includes(field) ? null : wrongIn(form, field, filled, vehicles);
    if (message) found = withProblem(found, message, idOf(form, field));
  }
  if (!form.plate) found = withProblem(found, PLATE_REQUIRED, null);
  if (!form.mileage) found = withProblem(found, NO_MILEAGE_FIELD, null);
  const pence = parsePence(filled.cost);
  return pence === null || pence > LARGEST ? withProblem(found, WRONG_COST, COST_ID) : found;
}

/** Builds the request from a check in which nothing is wrong. */
export function bodyOf(
  form: Form,
  filled: Filled,
  vehicles: Vehicle[] | null,
  photos: Body["photos"],
): Body {
  const { plate } = form;
  const reg = plateOf(textOf(form, plate, filled), plate?.type === "plate" ? vehicles : null);
  const items = form.fields.flatMap((field): [string, string][] => {
    const text = field === plate ? reg : textOf(form, field, filled);
    return text && field !== form.notes ? [[field.name, text]] : [];
  });
  return {
    reg,
    date: textOf(form, form.date, filled) || filled.day,
    odometer: parseMiles(textOf(form, form.mileage, filled)) ?? 0,
    items: Object.fromEntries(items),
    notes: textOf(form, form.notes, filled),
    photos,
    costGBP: (parsePence(filled.cost) ?? 0) / 100,
    _formType: form.key,
  };
}

/** Says what of a check isn't in the one that counts, in the form's words. */
export function sayLeftOut(form: Form, changed: string[], now: Body): string[] {
  const parts: [string, string, string][] = [
    ...form.fields
      .filter((field) => field !== form.notes)
      .map(({ name, label }): [string, string, string] => [name, label, now.items[name] ?? ""]),
    ["notes", form.notes.label, now.notes],
    ["costGBP", "Repair/Expense (£)", now.costGBP.toFixed(2)],
    ["photos", "Photos", now.photos.map(({ name }) => name).join(", ")],
    ["_formType", "Form", form.label],
  ];
  const left = parts
    .filter(([name]) => changed.includes(name))
    .map(([, label, text]) => (text ? `${label} “${text}”` : `${label} emptied`));
  return left.length > 0
    ? [`It counts as it was sent first. Changed since, and not in it: ${left.join(", ")}.`]
    : [];
}

/** Turns the server's complaints into findings at the controls they are about. */
export function complaints(form: Form, told: Record<string, string>, otherwise: string): Findings {
  const { plate, mileage, date, notes } = form;
  const known: Record<string, Field | undefined> = { reg: plate, odometer: mileage, date, notes };
  const targetOf = (field: string): string | null => {
    if (field.startsWith("photos")) return PHOTOS_ID;
    if (field === "costGBP") return COST_ID;
    const own = form.fields.find(({ name }) => field === `items.${name}`) ?? known[field];
    return own ? idOf(form, own) : null;
  };
  const all = Object.entries(told);
  if (all.length === 0) return withProblem(FINE, otherwise, null);
  return all.reduce(
    (found, [field, message]) => withProblem(found, message, targetOf(field)),
    FINE,
  );
}
