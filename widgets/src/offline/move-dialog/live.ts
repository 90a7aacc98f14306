/**
 * The stock dialogs of a page whose line is cut: a dialog that can't be loaded opens from the
 * reference or the item's row, and one whose sending gets no reply is kept in the outbox as it was sent.
 */
import { countOf, keep, NotKept } from "../../outbox";
import { contentOf, type Maker, moveEntry } from "../../outbox/move";
import type {
  Action,
  MoveContent,
  MovedStore,
  MoveOffers,
  SiteChoice,
} from "../../outbox/move-content";
import { alertNear, noReplyMessage } from "../../shared/failures";
import type { RequestDetail } from "../../shared/htmx-events";
import { parseWhole } from "../../shared/money";
import { siteLabel } from "../../shared/stores";
import { divisionLabel } from "../addresses";
import { openMove } from "./index";
import { showKept } from "./kept";
import { findItem, listedItem, openCorrected } from "./tasks";
import { watchUnsent } from "./unsent-rows";

export { loadContent as loadDialog } from "./content";

/** The dialog of an item, by its address. */
interface Place {
  store: MovedStore;
  item: number;
  query: URLSearchParams;
}

const DIALOG = /^((\/gpm)?\/inventory\/(\w+))\/items\/(\d+)\/action$/;
const MODES: Record<string, Action> = { inc: "delivery", transfer: "transfer" };

function placeOf(path: string): Place | null {
  const { pathname, searchParams: query } = new URL(path, location.href);
  const found = DIALOG.exec(pathname);
  if (!found) return null;
  const [, address = "", prefix, site = "", item] = found;
  const division = prefix ? "gpm" : "gfm";
  const label = `${divisionLabel(division)} ${siteLabel(site)}`;
  return { store: { division, site, address, label }, item: Number(item), query };
}

function makerOfPage(): Maker {
  const username = document.querySelector(".who")?.textContent ?? "";
  return { user: Number(document.body.dataset.user), username };
}

const dialogOfPage = () => document.querySelector<HTMLDialogElement>("dialog#dialog");

/** Opens the dialog from what was read of the store or is listed; returns whether the item is in it. */
async function openHere({ store, item, query }: Place): Promise<boolean> {
  const dialog = dialogOfPage();
  const maker = makerOfPage();
  const found = (await findItem(maker, store, item)) ?? (await listedItem(maker, store, item));
  if (!dialog || !found) return false;
  const mode = MODES[query.get("mode") ?? ""] ?? "withdrawal";
  const isOffered = mode !== "transfer" || found.offers.destinations.length > 0;
  const destination = query.get("destination") ?? "";
  const action = isOffered ? mode : "withdrawal";
  // So that the list reloads when the line is back at once.
  watchUnsent();
  return openMove(dialog, { ...found, action, chosen: { destination }, edited: null });
}

/** Returns the values of a form's radio buttons with their labels. */
function choicesIn(form: HTMLFormElement, name: string): SiteChoice[] {
  const inputs = form.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${name}"]`);
  return [...inputs].map(({ value, labels }) => ({
    value,
    label: labels?.[0]?.textContent?.trim() ?? value,
  }));
}

/** Returns what a dialog of the server shows of its item and offers. */
function readDialog(
  form: HTMLFormElement,
  place: Place,
): Pick<MoveContent, "store" | "item" | "offers"> {
  const recent = choicesIn(form, "recent_team").map(({ value }) => value);
  const destinations = choicesIn(form, "destination");
  const offers: MoveOffers = {
    teams: [],
    deliveryTeams: recent,
    withdrawalTeams: recent,
    destinations,
  };
  const name = document.getElementById("dialog-title")?.textContent?.trim() ?? "";
  const amount = Number(form.querySelector<HTMLElement>("[data-amount]")?.dataset.amount ?? 0);
  const item = { id: place.item, name, amount, unit: "pcs", unitPrice: null };
  return { store: place.store, item, offers };
}

/** The fields that belong to the page and not to what is sent again. */
const OF_PAGE = ["csrf_token", "key"];

/** Keeps what a dialog has sent without getting a reply, under its key. */
async function keepSent(place: Place, form: HTMLFormElement, sent: FormData, url: string) {
  const all = [...sent].map(([name, value]): [string, string] => [name, String(value)]);
  const fields = all.filter(([name]) => !OF_PAGE.includes(name));
  const maker = makerOfPage();
  const quantity = parseWhole(String(sent.get("quantity") ?? "")) ?? 0;
  const content = contentOf(readDialog(form, place), fields, quantity);
  const key = String(sent.get("key") ?? "");
  const made = moveEntry({ maker, content, url, form: fields, key });
  try {
    await keep({ ...made, isUnanswered: true, tries: 1 });
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    return alertNear(form, `${noReplyMessage("Update failed", true)} ${error.message}`);
  }
  watchUnsent();
  form.closest("dialog")?.close();
  showKept(await countOf(maker.user));
}

/** Handles a stock dialog's request that got no reply; returns whether that was possible. */
export async function takeOver({ elt, requestConfig }: RequestDetail): Promise<boolean> {
  const { path, verb, formData } = requestConfig;
  const place = placeOf(path);
  if (!place) return false;
  if (verb === "get") return openHere(place);
  if (!(elt instanceof HTMLFormElement) || !formData?.get("key")) return false;
  await keepSent(place, elt, formData, path);
  return true;
}

/** Shows what is not sent yet on this page, and opens the dialog on the entry that its address names. */
export async function showUnsent(): Promise<void> {
  watchUnsent();
  const dialog = dialogOfPage();
  if (dialog) await openCorrected(dialog, makerOfPage());
}
