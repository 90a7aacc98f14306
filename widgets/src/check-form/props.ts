/** The props of the check form, from its page. */
import type { Schemas } from "../shared/openapi";

export type Props = Schemas["CheckFormProps"];

/** A type of check, with its fields in order. */
export type Template = Schemas["CheckFormTemplate"];

export type Field = Schemas["CheckFormField"];

/** The role by which the product understands a field; '' without one. */
export type Role = Field["role"];

/** What a check starts with: the form, person and vehicles of the last ones. */
export type Start = Schemas["CheckFormStart"];
