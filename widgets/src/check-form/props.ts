/** What the page tells the check form. */

/** How a field is filled in; `suggested` is text that offers what was said before. */
export type FieldType = "text" | "date" | "plate" | "number" | "choice" | "suggested" | "textarea";

/** What a field means to the product; '' for nothing beside its label. */
export type Role = "plate" | "mileage" | "date" | "notes" | "person" | "";

export interface Field {
  name: string;
  label: string;
  type: FieldType;
  required: boolean;
  choices: string[];
  role: Role;
}

/** A type of check: what is asked, in order. */
export interface Template {
  key: string;
  label: string;
  fields: Field[];
}

export interface Props {
  api: string;
  /** Where photos are sent, each under its content's name. */
  photos: string;
  user: number;
  division: string;
  templates: Template[];
  /** What was said before, by field. */
  suggestions: Record<string, string[]>;
  /** The list of checks. */
  list: string;
  /** The registration the form was opened for, '' for none. */
  vehicle: string;
}
