/** The content of the dialog that moves an item: the server's, kept without an item, which is filled in here. */
import type { Action, MovedItem, MoveOffers, SiteChoice } from "../../outbox/move-content";
import { afterChange, describeChange } from "../../outbox/pending";
import { element } from "../../shared/element";
import { formatNumber, formatPence } from "../../shared/money";
import { endsAfter } from "../../shared/requests";
import { MOVE_DIALOG } from "../addresses";

const LIMIT_SECONDS = 10;

export interface Values {
  item: MovedItem;
  /** By how much its amount changes once everything else is sent. */
  change: number;
  offers: MoveOffers;
  action: Action;
  /** The day in London. */
  today: string;
  /** The fields of an entry that is edited, or what is chosen beforehand. */
  chosen: Record<string, string>;
}

let content: Promise<DocumentFragment> | null = null;

/** Fetches the content, which the service worker keeps. */
export const fetchContent = (): Promise<Response> =>
  fetch(MOVE_DIALOG, { signal: endsAfter(LIMIT_SECONDS) });

async function read(reply: Response): Promise<DocumentFragment> {
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const template = page.querySelector("template");
  if (!template) throw new Error("The dialog isn't kept");
  return template.content;
}

/** Loads the content, once for the page; from `reply`, where it was fetched already. */
export function loadContent(reply?: Response): Promise<DocumentFragment> {
  content ??= Promise.resolve(reply ?? fetchContent()).then(read);
  content.catch(() => {
    content = null;
  });
  return content;
}

/** Offers choices in the place of a group's own, or nothing of the group without any. */
function offer(group: Element, offered: readonly SiteChoice[], chosen: string | undefined): void {
  const first = group.querySelector("label");
  const labels = offered.map(({ value, label }) => {
    const made = first?.cloneNode(true) as HTMLLabelElement;
    const input = made.querySelector("input") as HTMLInputElement;
    input.value = value;
    input.checked = value === chosen;
    made.replaceChildren(input, ` ${label}`);
    return made;
  });
  first?.parentElement?.replaceChildren(...labels);
  if (labels.length === 0) group.closest("[data-only]")?.remove();
}

/** Returns how much there is of an item, and what it costs. */
function describe({ item, change }: Values): string {
  const unit = item.unit === "pcs" ? "" : ` ${item.unit}`;
  const price = item.unitPrice === null ? "" : ` · ${formatPence(item.unitPrice)}`;
  const amount = formatNumber(afterChange(item.amount, change));
  const books = change === 0 ? "" : ` (${describeChange(item.amount, change)})`;
  return `${amount}${unit} in stock${books}${price}`;
}

/** Fills a dialog; returns its form. */
export async function fill(dialog: HTMLDialogElement, values: Values): Promise<HTMLFormElement> {
  const { item, change, offers, action, today, chosen } = values;
  dialog.replaceChildren(document.importNode(await loadContent(), true));
  const find = <Part extends Element = HTMLElement>(part: string) =>
    dialog.querySelector(part) as Part;
  find("h1").textContent = item.name;
  find("header .note").textContent = describe(values);
  find("#action").dataset.amount = String(item.amount + change);
  if (offers.destinations.length === 0) find("[value=transfer]").closest("label")?.remove();
  find<HTMLInputElement>(`[name=action][value=${action}]`).checked = true;
  offer(find("#destination"), offers.destinations, chosen.destination);
  const teams = find(".picks").closest("fieldset") as HTMLElement;
  const recent = action === "delivery" ? offers.deliveryTeams : offers.withdrawalTeams;
  if (recent.length === 0)
    find("label[for=team]").textContent = teams.querySelector("legend")?.textContent ?? "";
  const picks = recent.map((team) => ({ value: team, label: team }));
  offer(teams, picks, chosen.action === undefined ? recent[0] : chosen.recent_team);
  const options = offers.teams.map((team) => element("option", { value: team }));
  find("#team-offers").replaceChildren(...options);
  find<HTMLInputElement>("#quantity").value = chosen.quantity ?? "1";
  find<HTMLInputElement>("#team").value = chosen.team ?? "";
  const date = find<HTMLInputElement>("#date");
  date.max = today;
  date.value = chosen.date ?? today;
  return find<HTMLFormElement>("form");
}
