/** What can be chosen, and the addresses of it. */
import type { By, Choice, Column, Dimension, Props, Sort } from "./props";

/** Chosen in the place of a second level. */
export const NOTHING = "nothing";

/** Stands for a name that is missing, on screen and in addresses. */
export const DASH = "–";

/** Returns the choice with another first level; the second is never the same. */
export function groupedBy(by: By, choice: Choice): Choice {
  return { ...choice, by, then: choice.then === by ? choice.by : choice.then };
}

/** Returns how a column's button sorts: turned round, or names from A and sums from the greatest. */
export function sortedBy(column: Column, { sort }: Choice): Sort {
  if (sort === column) return `-${column}`;
  if (sort === `-${column}`) return column;
  return column === "name" ? column : `-${column}`;
}

/** Returns how a column stands, as aria-sort has it. */
export function direction(
  column: Column,
  { sort }: Choice,
): "ascending" | "descending" | undefined {
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}

export function dimension(value: string, dimensions: Dimension[]): Dimension | undefined {
  return dimensions.find((each) => each.value === value);
}

function address(path: string, values: Record<string, string>, opened: string[] = []): string {
  const query = new URLSearchParams(values);
  for (const name of opened) query.append("open", name || DASH);
  return `${path}?${query}`;
}

/** The page's own address, for bookmarks and for the way back. */
export function pageAddress(
  { page, filters, mostOpen }: Props,
  { by, then, sort }: Choice,
  opened: string[],
): string {
  return address(page, { ...filters, by, then, sort }, opened.slice(0, mostOpen));
}

export function withoutFilters({ page }: Props, { by, then, sort }: Choice): string {
  return address(page, { by, then, sort });
}

/** The register, filtered by a group, or by a group and a sub-group. */
export function registerAddress(
  { register, filters }: Props,
  { by, then }: Choice,
  group: string,
  inner?: string,
): string {
  const names = { [by]: group || DASH, ...(inner === undefined ? {} : { [then]: inner || DASH }) };
  return address(register, { ...filters, ...names });
}
