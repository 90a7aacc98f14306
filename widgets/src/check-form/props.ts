/** The props of the check form, from its page. */
import type { CheckFormOfflineProps } from "../offline/props";
import type { Schemas } from "../shared/openapi";

/**
 * Those of the shell have a reference, from which the form is shown without a connection, and the
 * person, by whose clock it goes: the reference's `now` is old.
 */
export type Props = Schemas["CheckFormProps"] &
  Partial<Pick<CheckFormOfflineProps, "reference" | "person">>;

/** A type of check, with its fields in order. */
export type Template = Schemas["CheckFormTemplate"];

export type Field = Schemas["CheckFormField"];

/** The role by which the product understands a field; '' without one. */
export type Role = Field["role"];

/** What a check starts with: the form, person and vehicles of the last ones. */
export type Start = Schemas["CheckFormStart"];
