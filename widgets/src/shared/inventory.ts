/** The items of a site, from the stock API. */
import { call } from "./api";
import type { Schemas } from "./openapi";

export type Item = Schemas["ItemReply"];

/** A division's stock at one site. */
export interface Place {
  division: "gfm" | "gpm";
  site: string;
}

/** The address of a site's list. */
export const listOf = ({ division }: Place) => `/api/${division}/inventory/{site}` as const;

/** Loads all items of a site. */
export function loadItems(place: Place): Promise<Item[]> {
  return call("GET", listOf(place), { path: { site: place.site } });
}

/** Returns the categories of items, each once, by name. */
export function categoriesIn(items: readonly { category: string }[]): string[] {
  const all = new Set(items.map(({ category }) => category));
  return [...all].filter(Boolean).sort((a, b) => a.localeCompare(b, "en-GB"));
}
