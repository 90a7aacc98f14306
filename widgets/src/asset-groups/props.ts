/** What the page tells the group view, and what the server replies to it. */

/** Values are in pounds. */
export interface Sums {
  assets: number;
  quantity: number;
  value: number;
}

/** The assets that share a name, which is '' where they have none. */
export interface Group extends Sums {
  name: string;
}

export interface Groups {
  groups: Group[];
  /** How many there are in all. */
  total: number;
  /** What the dearest of them all comes to. */
  most: number;
  sums: Sums;
}

export interface Dimension {
  value: string;
  label: string;
  plural: string;
}

/** As addresses have it: what to group by, then by, and how to sort. */
export interface Choice {
  by: string;
  then: string;
  sort: string;
}

export interface Props {
  api: string;
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
