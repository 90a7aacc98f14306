/** What the dialog is opened on: an item of a reference, or an entry that is corrected. */
import { entriesOf, entry as entryById } from "../../outbox";
import type { Entry } from "../../outbox/entry";
import { editedId, type Maker } from "../../outbox/move";
import type { MoveContent } from "../../outbox/move-content";
import { withPending } from "../../outbox/pending";
import { type StorePlace, stockName } from "../addresses";
import { loadPerson } from "../person";
import { loadReference } from "../references";
import { itemOf, offersOf, storeOf } from "../stock-reference";
import { type MoveTask, openMove } from "./index";

type OfItem = Pick<MoveTask, "maker" | "store" | "item" | "offers" | "readAt" | "clockOffset">;

/** By how many ms the server's clock is ahead of this browser's, as far as it is known. */
async function clockOffsetOf(user: number): Promise<number> {
  const person = await loadPerson();
  return person?.user === user ? person.clockOffset : 0;
}

/**
 * Returns an item with what was read of its store, and what else is not sent yet; null if it wasn't
 * read. The entry that is `corrected` doesn't count.
 */
export async function findItem(
  maker: Maker,
  store: StorePlace,
  id: number,
  corrected: Entry | null = null,
): Promise<OfItem | null> {
  const name = stockName(store);
  const loaded = await loadReference(maker.user, name);
  const row = loaded?.value.rows.find(([each]) => each === id);
  if (!loaded || !row) return null;
  const entries = await entriesOf(maker.user);
  const others = entries.filter((entry) => entry.id !== corrected?.id);
  const [item = itemOf(row)] = withPending([itemOf(row)], others, name);
  return {
    maker,
    store: storeOf(loaded.value),
    item,
    offers: offersOf(loaded.value),
    readAt: new Date(loaded.fetchedAt),
    clockOffset: await clockOffsetOf(maker.user),
  };
}

/** Opens the dialog on the entry that the page's address names, to correct it; only on one's own. */
export async function openCorrected(dialog: HTMLDialogElement, maker: Maker): Promise<void> {
  const id = editedId(location.hash);
  const edited = id ? await entryById(id) : null;
  if (edited?.kind !== "move" || edited.user !== maker.user) return;
  const { store, item, offers, action, fields } = edited.content as MoveContent;
  const found = await findItem(maker, store, item.id, edited);
  const clockOffset = await clockOffsetOf(maker.user);
  const kept = { maker, store, item, offers, readAt: null, clockOffset };
  openMove(dialog, { ...(found ?? kept), action, chosen: fields, edited });
}
