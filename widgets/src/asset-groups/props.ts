/** The props of the group view, from its page, and the types of its replies. */
import type { Schemas } from "../shared/openapi";

export type Props = Schemas["AssetGroupsProps"];

export type Sums = Schemas["SumsReply"];
export type Group = Schemas["GroupReply"];
export type Groups = Schemas["GroupsReply"];

export type Dimension = Schemas["GroupingDimension"];

/** The levels of grouping, and how to sort; the names are those of the address. */
export type Choice = Schemas["GroupingChoice"];
export type By = Choice["by"];
export type Sort = Choice["sort"];
export type Column = Exclude<Sort, `-${string}`>;
