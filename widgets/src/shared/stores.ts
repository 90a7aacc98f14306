/** What stores and their sites are called. */
import type { Place } from "./inventory";

export type StockName = `stock:${"gfm" | "gpm"}/${string}`;

const SITES: Record<string, string> = {
  main: "Main",
  guildford: "Guildford",
  northern: "Northern",
};

/** Returns what a site is called. */
export function siteLabel(site: string): string {
  return SITES[site] ?? site;
}

/** Returns the name of what was read of a store, and of its entries' subject. */
export function stockName({ division, site }: Place): StockName {
  return `stock:${division}/${site}`;
}
