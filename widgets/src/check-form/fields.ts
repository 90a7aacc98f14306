/** The fields of a form, and which of them the product knows by their names (specification §5). */
import { nameKey } from "../shared/names";
import type { Field, Template } from "./props";

const NOTES: Field = { name: "Notes", label: "Notes", type: "textarea", required: false, choices: [] };

export const COST_ID = "check-cost";
export const FORM_ID = "check-form-type";
export const PHOTOS_ID = "check-photos";

/** Case, spaces and underscores don't count in a field's name. */
const squeezed = (name: string): string => nameKey(name).replace(/[ _-]/g, "");

/** A form with its fields, and the ones among them that mean something; only the notes are always there. */
export interface Form {
  key: string;
  fields: Field[];
  plate: Field | undefined;
  mileage: Field | undefined;
  date: Field | undefined;
  notes: Field;
}

/** Reads a template; one without notes gets them. */
export function formOf({ key, fields: given }: Template): Form {
  const named = (pattern: RegExp) => given.find(({ name }) => pattern.test(squeezed(name)));
  const notes = named(/^notes$/) ?? NOTES;
  return {
    key,
    fields: given.includes(notes) ? given : [...given, notes],
    plate: given.find(({ type }) => type === "plate") ?? named(/^(reg|plate|registration|numberplate|licen[sc]eplate)$/),
    mileage: named(/^(mileage|odometer)$/),
    date: named(/^date$/) ?? given.find(({ type }) => type === "date"),
    notes,
  };
}

/** Returns the id of a field's control. */
export function idOf(form: Form, field: Field): string {
  return `check-${form.fields.indexOf(field)}`;
}

/** Returns the fields that know their person: they are offered filled in the next time. */
export function personFields({ fields }: Form): Field[] {
  return fields.filter(({ name }) => ["name", "department"].includes(squeezed(name)));
}
