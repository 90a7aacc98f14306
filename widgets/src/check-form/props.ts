/** What the page tells the check form. */
import type { Schemas } from "../shared/openapi";

/** What a field means to the product; '' for nothing beside its label. */
export type Role = "plate" | "mileage" | "date" | "notes" | "person" | "";

export interface Field extends Required<Schemas["FieldBody"]> {
  role: Role;
}

type Told = Schemas["TemplateBody"];

/** A type of check: what is asked, in order. */
export interface Template extends Told {
  fields: Field[];
}

export interface Props {
  /** Where photos are sent, each under its content's name. */
  photos: string;
  user: number;
  division: "fleet" | "gpm";
  templates: Template[];
  /** What was said before, by field. */
  suggestions: Record<string, string[]>;
  /** The list of checks. */
  list: string;
  /** The registration the form was opened for, '' for none. */
  vehicle: string;
}
