/** The fields of a form, and which of them the product knows: the server tells. */
import type { Field, Role, Template } from "./props";

const NOTES: Field = {
  name: "Notes",
  label: "Notes",
  type: "textarea",
  required: false,
  choices: [],
  role: "notes",
};

export const COST_ID = "check-cost";
export const FORM_ID = "check-form-type";
export const PHOTOS_ID = "check-photos";

/** A form with its fields, and the ones among them that mean something; only the notes are always there. */
export interface Form {
  key: string;
  label: string;
  fields: Field[];
  plate: Field | undefined;
  mileage: Field | undefined;
  date: Field | undefined;
  notes: Field;
}

/** Reads a template; one without notes gets them. */
export function formOf({ key, label, fields: given }: Template): Form {
  const known = (wanted: Role) => given.find(({ role }) => role === wanted);
  const notes = known("notes") ?? NOTES;
  return {
    key,
    label,
    fields: given.includes(notes) ? given : [...given, notes],
    plate: known("plate"),
    mileage: known("mileage"),
    date: known("date"),
    notes,
  };
}

/** Returns the id of a field's control. */
export function idOf(form: Form, field: Field): string {
  return `check-${form.fields.indexOf(field)}`;
}

/** Returns the fields that know their person: they are offered filled in the next time. */
export function personFields({ fields }: Form): Field[] {
  return fields.filter(({ role }) => role === "person");
}
