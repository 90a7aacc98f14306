/** The props of the group view, from its page, and the types of its replies. */
import type { Query, Schemas } from "../shared/openapi";

export type Sums = Schemas["SumsReply"];
export type Group = Schemas["GroupReply"];
export type Groups = Schemas["GroupsReply"];

type GroupQuery = Query<"GET", "/api/assets/groups">;
export type By = NonNullable<GroupQuery["by"]>;
export type Sort = NonNullable<GroupQuery["sort"]>;
export type Column = Exclude<Sort, `-${string}`>;

export interface Dimension {
  value: By;
  label: string;
  plural: string;
}

/** The levels of grouping, and how to sort; the names are those of the address. */
export interface Choice {
  by: By;
  then: By | "nothing";
  sort: Sort;
}

export interface Props {
  page: string;
  register: string;
  dimensions: Dimension[];
  /** The register's filters that apply, by their names in addresses. */
  filters: Record<string, string>;
  choice: Choice;
  found: Groups;
  /** The subgroups of the groups that the address opens, by the groups' names. */
  opened: [string, Groups][];
  /** How many open groups an address keeps. */
  mostOpen: number;
}
