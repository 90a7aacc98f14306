/** What stores and their sites are called. */
import type { Place } from "./inventory";

export type StockName = `stock:${"gfm" | "gpm"}/${string}`;

const SITES: Record<string, string> = {
  main: "Main",
  guildford: "Guildford",
  northern: "Northern",
};

/** All stores, each division's main one first. */
export const STORES: readonly Place[] = [
  ...Object.keys(SITES).map((site): Place => ({ division: "gfm", site })),
  { division: "gpm", site: "main" },
];

/** Returns what a site is called. */
export function siteLabel(site: string): string {
  return SITES[site] ?? site;
}

/** Whether a name, such as an entry's subject, is that of a store. */
export function isOfStock(name: string): boolean {
  return name.startsWith("stock:");
}

/** Returns the name of what was read of a store, and of its entries' subject. */
export function stockName({ division, site }: Place): StockName {
  return `stock:${division}/${site}`;
}
