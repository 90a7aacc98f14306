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
