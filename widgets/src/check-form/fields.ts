/** The fields of a form, and those among them that the product understands by their role. */
import type { Field, Role, Template } from "./props";

const NOTES: Field = {
  name: "Notes",
  label: "Notes",
  type: "textarea",
  required: false,
  choices: [],
  role: "notes",
  needsPhoto: false,
  damage: null,
};

export const COST_ID = "check-cost";
export const FORM_ID = "check-form-type";
export const PHOTOS_ID = "check-photos";

/** A form with its fields and their roles; of the roles, only the notes are always present. */
export interface Form {
  key: string;
  label: string;
  fields: Field[];
  plate: Field | undefined;
  mileage: Field | undefined;
  date: Field | undefined;
  notes: Field;
}

/** Builds a form from its template; a template without notes gets a field for them. */
export function formOf({ key, label, fields: templateFields }: Template): Form {
  const withRole = (role: Role) => templateFields.find((field) => field.role === role);
  const notes = withRole("notes") ?? NOTES;
  return {
    key,
    label,
    fields: templateFields.includes(notes) ? templateFields : [...templateFields, notes],
    plate: withRole("plate"),
    mileage: withRole("mileage"),
    date: withRole("date"),
    notes,
  };
}

/** Returns the id of a field's control. */
export function idOf(form: Form, field: Field): string {
  return `check-${form.fields.indexOf(field)}`;
}

/** Returns the fields about the person who fills in the form: the next check starts with them. */
export function personFields({ fields }: Form): Field[] {
  return fields.filter(({ role }) => role === "person");
}
