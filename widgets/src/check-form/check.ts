/** The answers of a check: their validation, and the request built from them. */
import { EARLIEST_DAY, TOO_EARLY, TOO_LATE } from "../shared/days";
import { parsePence, parseWhole } from "../shared/money";
import { plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import type { Problem } from "../shared/Problems";
import type { Answers, BookingStep, DefectAnswer, DriveReason } from "../shared/saved-check";
import { COST_ID, type Form, idOf, PHOTOS_ID } from "./fields";
import type { Field } from "./props";
import { type Vehicle, vehicleWith } from "./vehicles";

const MAX_NUMBER = 999_999_999;

export const PLATE_REQUIRED = "Vehicle number plate is required.";
export const UNKNOWN_PLATE = "Choose a number plate from the list.";
export const WRONG_MILEAGE = "Mileage (odometer) must be a valid non-negative number.";
export const WRONG_COST = "Repair/Expense (£) must be a non-negative number.";
export const NO_MILEAGE_FIELD = "This form has no mileage field defined. Please update the schema.";

/** The request: every other field is present, and the items are texts. */
export interface Body extends Required<Omit<Schemas["CheckBody"], "driveReason" | "booking">> {
  reg: string;
  odometer: number;
  items: Record<string, string>;
  photos: { name: string; id: string }[];
  defects: { number: string; answer: DefectAnswer }[];
  /** Left out without an answer, as by earlier releases. */
  driveReason?: DriveReason;
  /** Left out for a check alone. */
  booking?: BookingStep;
}

/** A problem, with the ids of all controls that it is about. */
interface Finding extends Problem {
  ids: string[];
}

/** The problems as sentences above the form, and the errors of controls by their ids. */
export interface Findings {
  problems: Finding[];
  errors: Record<string, string>;
}

export const NO_FINDINGS: Findings = { problems: [], errors: {} };

/** Adds a problem of one control, or of the whole form (null). */
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

/** Removes the problems of a control that is being corrected. */
export function withoutProblemsAt(id: string, findings: Findings): Findings {
  if (!(id in findings.errors)) return findings;
  const { [id]: _removed, ...errors } = findings.errors;
  const problems = findings.problems.filter(
    ({ ids }) => ids.length === 0 || ids.some((each) => each in errors),
  );
  // The same list when nothing changes: a new one makes the summary take the focus.
  return {
    problems: problems.length === findings.problems.length ? findings.problems : problems,
    errors,
  };
}

/** Returns the first control that still has the problem that `target` leads to. */
export function firstInvalid(target: string, { problems, errors }: Findings): string {
  return problems.find((each) => each.target === target)?.ids.find((id) => id in errors) ?? target;
}

/** Returns the value of a field; a date is the check's day by default. */
export function fieldValue(form: Form, field: Field, { values, day }: Answers): string {
  return values[field.name] ?? (field === form.date ? day : "");
}

const textOf = (form: Form, field: Field | undefined, answers: Answers): string =>
  field ? fieldValue(form, field, answers).trim() : "";

/** Returns the day of a check. */
export const dayIn = (form: Form, answers: Answers): string =>
  textOf(form, form.date, answers) || answers.day;

/** Returns the id of the first answer about an open defect. */
export const defectId = (number: string): string => `check-${number}`;

/** The id of the first answer to why the vehicle is driven. */
export const DRIVE_ID = "check-drive";

/** A question without an answer: the id of its first answer, and its text. */
export type Question = [id: string, text: string];

export const DRIVE_QUESTION: Question = [
  DRIVE_ID,
  "Why is it driven? Choose To the garage, To a test or Other.",
];

/** Returns the question about an open defect. */
export const defectQuestion = (number: string): Question => [
  defectId(number),
  `Is ${number} still there? Choose Yes, Worse or Gone.`,
];

/** Returns the answers about a vehicle's open defects, none if they are about another one. */
export function answersAbout(plate: string, { defects }: Answers): Record<string, DefectAnswer> {
  return defects?.plate === plateKey(plate) ? defects.answers : {};
}

/** Returns why a vehicle is driven, undefined without an answer about it. */
export function driveReason(plate: string, { drive }: Answers): DriveReason | undefined {
  return drive?.plate === plateKey(plate) ? drive.reason : undefined;
}

/** Returns the booking whose step the check of a vehicle takes, undefined for a check alone. */
export function bookingOf(plate: string, { booking }: Answers): BookingStep | undefined {
  if (!booking || (booking.plate && booking.plate !== plateKey(plate))) return undefined;
  return { number: booking.number, step: booking.step };
}

/** Parses whole miles of 0 or more; tenths are cut off, as most odometers do. */
export function parseMiles(text: string): number | null {
  const miles = parseWhole(text.trim().replace(/\.\d+$/, ""));
  return miles !== null && miles <= MAX_NUMBER ? miles : null;
}

/** Returns the registration of the chosen vehicle; without vehicles to choose from, any text. */
function plateOf(text: string, vehicles: Vehicle[] | null): string {
  const reg = vehicles?.length ? (vehicleWith(text, vehicles)?.reg ?? "") : text;
  return reg.trim().toUpperCase();
}

function problemOf(
  form: Form,
  field: Field,
  answers: Answers,
  vehicles: Vehicle[] | null,
  today: string,
): string | null {
  const text = textOf(form, field, answers);
  if (field === form.plate)
    return plateOf(text, field.type === "plate" ? vehicles : null)
      ? null
      : text
        ? UNKNOWN_PLATE
        : PLATE_REQUIRED;
  if (field === form.mileage) return parseMiles(text) === null ? WRONG_MILEAGE : null;
  if (field === form.date) {
    if (text > today) return TOO_LATE;
    return text && text < EARLIEST_DAY ? TOO_EARLY : null;
  }
  if (field.type === "number" && text && !/^-?[\d,]*\.?\d+$/.test(text))
    return `${field.label} must be a number.`;
  return null;
}

/** Returns the problems that must be corrected before the check is sent. */
export function findingsIn(
  form: Form,
  answers: Answers,
  vehicles: Vehicle[] | null,
  today: string,
): Findings {
  const empty = form.fields.filter((field) => field.required && !textOf(form, field, answers));
  let found: Findings = NO_FINDINGS;
  if (empty.length > 0) {
    const errors = empty.map((field) => [
      idOf(form, field),
      field === form.plate ? PLATE_REQUIRED : `${field.label} is required.`,
    ]);
    const ids = empty.map((field) => idOf(form, field));
    const labels = empty.map(({ label }) => label).join(", ");
    const message = `Please fill the required fields: ${labels}`;
    found = {
      problems: [{ message, target: ids[0] ?? null, ids }],
      errors: Object.fromEntries(errors),
    };
  }
  for (const field of form.fields) {
    const message = empty.includes(field) ? null : problemOf(form, field, answers, vehicles, today);
    if (message) found = withProblem(found, message, idOf(form, field));
  }
  if (!form.plate) found = withProblem(found, PLATE_REQUIRED, null);
  if (!form.mileage) found = withProblem(found, NO_MILEAGE_FIELD, null);
  const pence = parsePence(answers.cost);
  return pence === null || pence > MAX_NUMBER ? withProblem(found, WRONG_COST, COST_ID) : found;
}

/** Builds the request from answers without problems. */
export function bodyOf(
  form: Form,
  answers: Answers,
  vehicles: Vehicle[] | null,
  photos: Body["photos"],
  outcomeText: string,
): Body {
  const { plate } = form;
  const reason = driveReason(textOf(form, plate, answers), answers);
  const reg = plateOf(textOf(form, plate, answers), plate?.type === "plate" ? vehicles : null);
  const booking = bookingOf(reg, answers);
  const items = form.fields.flatMap((field): [string, string][] => {
    const text = field === plate ? reg : textOf(form, field, answers);
    return text && field !== form.notes ? [[field.name, text]] : [];
  });
  return {
    reg,
    date: dayIn(form, answers),
    odometer: parseMiles(textOf(form, form.mileage, answers)) ?? 0,
    items: Object.fromEntries(items),
    notes: textOf(form, form.notes, answers),
    photos,
    costGBP: (parsePence(answers.cost) ?? 0) / 100,
    _formType: form.key,
    defects: Object.entries(answersAbout(reg, answers)).map(([number, answer]) => ({
      number,
      answer,
    })),
    outcomeText,
    ...(reason && { driveReason: reason }),
    ...(booking && { booking }),
  };
}

/** Places the server's errors at the controls that they are about. */
export function findingsOf(
  form: Form,
  fields: Record<string, string>,
  otherwise: string,
): Findings {
  const { plate, mileage, date, notes } = form;
  const byRole: Record<string, Field | undefined> = { reg: plate, odometer: mileage, date, notes };
  const targetOf = (field: string): string | null => {
    if (field.startsWith("photos")) return PHOTOS_ID;
    if (field === "costGBP") return COST_ID;
    const own = form.fields.find(({ name }) => field === `items.${name}`) ?? byRole[field];
    return own ? idOf(form, own) : null;
  };
  const all = Object.entries(fields);
  if (all.length === 0) return withProblem(NO_FINDINGS, otherwise, null);
  return all.reduce(
    (found, [field, message]) => withProblem(found, message, targetOf(field)),
    NO_FINDINGS,
  );
}
