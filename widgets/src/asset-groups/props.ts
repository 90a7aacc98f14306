/** What the page tells the group view, and what the server replies to it. */
import type { Query, Schemas } from "../shared/openapi";

export type Sums = Schemas["SumsReply"];
export type Group = Schemas["GroupReply"];
export type Groups = Schemas["GroupsReply"];

type Asked = Query<"GET", "/api/assets/groups">;
export type By = NonNullable<Asked["by"]>;
export type Sort = NonNullable<Asked["sort"]>;
export type Column = Exclude<Sort, `-${string}`>;

export interface Dimension {
  value: By;
  label: string;
  plural: string;
}

/** As addresses have it: what to group by, then by, and how to sort. */
export interface Choice {
  by: By;
  then: By | "nothing";
  sort: Sort;
}

export interface Props {
  page: string;
  register: string;
  dimensions: Dimension[];
  /** The register's filters that limit what is grouped, by their names in addresses. */
  filters: Record<string, string>;
  choice: Choice;
  found: Groups;
  /** The sub-groups of the groups that the address opens, by the groups' names. */
  opened: [string, Groups][];
  /** How many open groups an address keeps. */
  mostOpen: number;
}
