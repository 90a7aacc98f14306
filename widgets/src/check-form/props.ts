/** The props of the check form, from its page. */
import type { Schemas } from "../shared/openapi";

/** The role by which the product understands a field; '' without one. */
export type Role = "plate" | "mileage" | "date" | "notes" | "person" | "";

export interface Field extends Required<Schemas["FieldBody"]> {
  role: Role;
}

type TemplateBody = Schemas["TemplateBody"];

/** A type of check, with its fields in order. */
export interface Template extends TemplateBody {
  fields: Field[];
}

export interface Props {
  /** The address to which photos are sent, each under the hash of its content. */
  photos: string;
  user: number;
  division: "fleet" | "gpm";
  templates: Template[];
  /** What was entered before, by field. */
  suggestions: Record<string, string[]>;
  /** The address of the list of checks. */
  list: string;
  /** The registration for which the form was opened; '' for none. */
  vehicle: string;
}
