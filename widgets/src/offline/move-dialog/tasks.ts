/** What the dialog is opened on: an item of a reference or of the list, or an entry that is corrected. */
import { entriesOf, entry as entryById } from "../../outbox";
import { pause, resume } from "../../outbox/editing";
import type { Entry } from "../../outbox/entry";
import { editedId, type Maker, whyNotEditable } from "../../outbox/move";
import type { MoveContent, MovedItem, MovedStore } from "../../outbox/move-content";
import { pendingOf } from "../../outbox/pending";
import type { Place } from "../../shared/inventory";
import { showAlert } from "../../shared/messages";
import { parsePence, parseWhole } from "../../shared/money";
import { stockName } from "../../shared/stores";
import { loadPerson } from "../person";
import { loadReference } from "../references";
import { itemOf, offersOf, storeOf } from "../stock-reference";
import { type MoveTask, openMove } from "./index";

type OfItem = Pick<
  MoveTask,
  "maker" | "store" | "item" | "change" | "offers" | "readAt" | "clockOffset"
>;

/** By how many ms the server's clock is ahead of this browser's, as far as it is known. */
async function clockOffsetOf(user: number): Promise<number> {
  const person = await loadPerson();
  return person?.user === user ? person.clockOffset : 0;
}

/** By how much what is not sent yet changes an item, without the entry that is `corrected`. */
async function changeOfOthers(
  maker: Maker,
  store: Place,
  { id, name }: MovedItem,
  corrected: Entry | null,
): Promise<number> {
  const entries = await entriesOf(maker.user);
  const others = entries.filter((entry) => entry.id !== corrected?.id);
  return pendingOf(others, stockName(store)).of(id, name);
}

/**
 * Returns an item with what was read of its store, and what else is not sent yet; null if it wasn't
 * read. The entry that is `corrected` doesn't count.
 */
export async function findItem(
  maker: Maker,
  store: Place,
  id: number,
  corrected: Entry | null = null,
): Promise<OfItem | null> {
  const name = stockName(store);
  const loaded = await loadReference(maker.user, name);
  const row = loaded?.value.rows.find(([each]) => each === id);
  if (!loaded || !row) return null;
  const item = itemOf(row);
  return {
    maker,
    store: storeOf(loaded.value),
    item,
    change: await changeOfOthers(maker, store, item, corrected),
    offers: offersOf(loaded.value),
    readAt: new Date(loaded.fetchedAt),
    clockOffset: await clockOffsetOf(maker.user),
  };
}

/** Returns what a row of the list has of its item; null without the row. */
function readRow(id: number): MovedItem | null {
  const row = document.querySelector(`#rows > #i${id}`);
  const text = (part: string) => row?.querySelector(part)?.textContent?.trim() ?? "";
  const cell = row?.querySelector<HTMLElement>(".amount");
  const amount = parseWhole(cell?.dataset.booked ?? cell?.firstChild?.textContent ?? "");
  if (amount === null) return null;
  const unit = text(".unit:not(.unsent-change)") || "pcs";
  return { id, name: text("th"), amount, unit, unitPrice: parsePence(text(".price")) };
}

/** Returns an item as the list shows it, whose store may not be read yet; null if it isn't listed. */
export async function listedItem(
  maker: Maker,
  store: MovedStore,
  id: number,
): Promise<OfItem | null> {
  const item = readRow(id);
  if (!item) return null;
  const others = document.querySelectorAll<HTMLAnchorElement>("#sites a:not([aria-current])");
  const destinations = [...others].map(({ pathname, textContent }) => ({
    value: pathname.split("/").at(-1) ?? "",
    label: textContent ?? "",
  }));
  return {
    maker,
    store,
    item,
    change: await changeOfOthers(maker, store, item, null),
    offers: { teams: [], deliveryTeams: [], withdrawalTeams: [], destinations },
    readAt: null,
    clockOffset: await clockOffsetOf(maker.user),
  };
}

/** Returns the entry that the page's address names, paused meanwhile; null if it can't be corrected. */
async function takeNamed(maker: Maker): Promise<Entry | null> {
  const id = editedId(location.hash);
  const named = id ? await entryById(id) : null;
  if (named?.kind !== "move" || named.user !== maker.user) return null;
  if (!whyNotEditable(named)) await pause(named.id, "page");
  // It may have been sent meanwhile.
  return entryById(named.id);
}

/** Opens the dialog on the entry that the page's address names, to correct it; only on one's own. */
export async function openCorrected(dialog: HTMLDialogElement, maker: Maker): Promise<void> {
  const edited = await takeNamed(maker);
  if (!edited) return;
  const reason = whyNotEditable(edited);
  if (reason) {
    await resume(edited.id);
    return showAlert(document.getElementById("alerts"), reason);
  }
  const { store, item, offers, action, fields } = edited.content as MoveContent;
  const found = await findItem(maker, store, item.id, edited);
  const clockOffset = await clockOffsetOf(maker.user);
  const change = await changeOfOthers(maker, store, item, edited);
  const kept = { maker, store, item, change, offers, readAt: null, clockOffset };
  // Without a new version it is sent as it was.
  if (!(await openMove(dialog, { ...(found ?? kept), action, chosen: fields, edited })))
    return resume(edited.id);
  dialog.addEventListener("close", () => void resume(edited.id), { once: true });
}
