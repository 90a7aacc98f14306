/** How assets are grouped and sorted, and the addresses of that. */
import type { By, Choice, Column, Dimension, Props, Sort } from "./props";

/** The choice of no second level. */
export const NOTHING = "nothing";

/** Represents an empty name, on screen and in addresses. */
export const DASH = "–";

/** Returns what people read for a value of a field, such as 'No location' without one. */
export function labelOf(field: string, name: string): string {
  return name === "" || name === DASH ? `No ${field}` : name;
}

/** Returns a filter in words, such as 'Category: IT' or 'No supplier'. */
export function limitOf(name: string, text: string): string {
  if (name === "q") return `Search: ${text}`;
  return text === DASH ? labelOf(name, text) : `${name[0]?.toUpperCase()}${name.slice(1)}: ${text}`;
}

/** Changes the first level; the second one never is the same. */
export function groupedBy(by: By, choice: Choice): Choice {
  return { ...choice, by, then: choice.then === by ? choice.by : choice.then };
}

/** Returns how a column's button sorts: reversed, else names from A and sums from the greatest. */
export function sortedBy(column: Column, { sort }: Choice): Sort {
  if (sort === column) return `-${column}`;
  if (sort === `-${column}`) return column;
  return column === "name" ? column : `-${column}`;
}

/** Returns how a column is sorted, as the value of aria-sort. */
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

/** Returns the address of the page, for bookmarks and for returning to it. */
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

/** Returns the address of the register, filtered by a group, or by a group and a subgroup. */
export function registerAddress(
  { register, filters }: Props,
  { by, then }: Choice,
  group: string,
  subgroup?: string,
): string {
  const names = {
    [by]: group || DASH,
    ...(subgroup === undefined ? {} : { [then]: subgroup || DASH }),
  };
  return address(register, { ...filters, ...names });
}
