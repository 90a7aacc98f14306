/** The list that is counted: the server's, or without a connection what was read of it before. */
import { type Item, loadItems } from "../shared/inventory";
import { liveOrKept } from "../shared/useLoad";
import { loadSending } from "./lazy";
import type { Props } from "./props";

/** A list, and when it was read, in ms of this browser's clock; null for the server's of now. */
export interface List {
  items: Item[];
  asOf: number | null;
}

export type Whose = Pick<Props, "user" | "division" | "site">;

/** Loads the list; the shell has given one that was read before. */
export async function loadList(whose: Whose, given: Props["reference"]): Promise<List> {
  const kept = async () => (await loadSending()).keptList(whose, given);
  if (given) {
    const list = await kept();
    if (list) return list;
  }
  const live = loadItems(whose).then((items): List => ({ items, asOf: null }));
  return liveOrKept(live, kept);
}
