/** The list that was read before, for a count without a connection. */

import { type Loaded, loadReference, type StockReference } from "../offline/references";
import { itemOf } from "../offline/stock-reference";
import { entriesOf } from "../outbox";
import { withPending } from "../outbox/pending";
import { stockName } from "../shared/stores";
import type { List, Whose } from "./list";

/** Returns the list with what this person has changed since and not sent yet; null if it wasn't read. */
export async function keptList(whose: Whose, given?: Loaded<StockReference>): Promise<List | null> {
  const name = stockName(whose);
  const reference = given ?? (await loadReference(whose.user, name));
  if (!reference) return null;
  const entries = await entriesOf(whose.user).catch(() => []);
  const rows = withPending(reference.value.rows.map(itemOf), entries, name);
  const items = rows.map(({ name: item, amount, category, unitPrice, unit }) => {
    return { item, amount, category, unitPrice: unitPrice / 100, unit };
  });
  return { items, asOf: reference.fetchedAt };
}
