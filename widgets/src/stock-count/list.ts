/** The list that is counted: the server's, or without a connection what was read of it before. */
import { stockName } from "../offline/addresses";
import { liveOrKept } from "../offline/live-or-kept";
import { loadReference, type StockReference } from "../offline/references";
import { entriesOf } from "../outbox";
import { withPending } from "../outbox/pending";
import { type Item, loadItems } from "../shared/inventory";
import type { Props } from "./props";

/** A list, and when it was read, in ms of this browser's clock; null for the server's of now. */
export interface List {
  items: Item[];
  asOf: number | null;
}

type Whose = Pick<Props, "user" | "division" | "site">;
type Row = StockReference["rows"][number];

const stockOf = ([id, name, amount, category, pence, unit]: Row) => ({
  id,
  name,
  amount,
  category,
  unitPrice: pence / 100,
  unit,
});

/** Returns the list that was read before, with what this person has changed since and not sent yet. */
async function keptList({ user, division, site }: Whose): Promise<List | null> {
  const name = stockName({ division, site });
  const reference = await loadReference(user, name);
  if (!reference) return null;
  const rows = withPending(reference.value.rows.map(stockOf), await entriesOf(user), name);
  const items = rows.map(({ name: item, amount, category, unitPrice, unit }) => {
    return { item, amount, category, unitPrice, unit };
  });
  return { items, asOf: reference.fetchedAt };
}

export function loadList(whose: Whose): Promise<List> {
  const live = loadItems(whose).then((items): List => ({ items, asOf: null }));
  return liveOrKept(live, () => keptList(whose));
}
