/** The content of the dialog that moves an item, as templates/stock/_move_stock.html has it. */

import type { Action, MovedItem, MoveOffers, SiteChoice } from "../../outbox/move-content";
import { afterChange, describeChange } from "../../outbox/pending";
import { element } from "../../shared/element";
import { formatNumber, formatPence } from "../../shared/money";
import { dayUntil, QUANTITY, TEAM } from "./limits";

const ACTIONS = [
  { value: "delivery", label: "Delivery" },
  { value: "withdrawal", label: "Withdrawal" },
  { value: "transfer", label: "Transfer" },
];

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

function radio(name: string, value: string, label: string, isChosen: boolean, className?: string) {
  const input = element("input", { type: "radio", name, value, checked: isChosen });
  return element("label", className ? { class: className } : {}, input, ` ${label}`);
}

function choices(
  name: string,
  legend: string,
  offered: readonly SiteChoice[],
  chosen: string | undefined,
): HTMLFieldSetElement {
  const options = offered.map(({ value, label }) => radio(name, value, label, value === chosen));
  const title = element("legend", {}, legend);
  return element(
    "fieldset",
    { id: name, tabindex: "-1" },
    title,
    element("div", { class: "seg" }, ...options),
  );
}

function field(
  name: string,
  label: string,
  attributes: Record<string, string | boolean>,
  ...after: Node[]
): HTMLElement {
  const input = element("input", { id: name, name, ...attributes });
  return element(
    "div",
    { class: "field" },
    element("label", { for: name }, label),
    input,
    ...after,
  );
}

function teamParts({
  offers,
  action,
  chosen: { action: before, recent_team: picked, team = "" },
}: Values): HTMLElement[] {
  const recent = action === "delivery" ? offers.deliveryTeams : offers.withdrawalTeams;
  const checked = before === undefined ? recent[0] : picked;
  const picks = recent.map((each) => radio("recent_team", each, each, each === checked, "pick"));
  const list = element(
    "datalist",
    { id: "team-offers" },
    ...offers.teams.map((each) => element("option", { value: each })),
  );
  const attributes = { value: team, list: "team-offers", autocomplete: "off", ...TEAM };
  const entered = field("team", recent.length > 0 ? "Another team" : "Team", attributes, list);
  if (recent.length === 0) return [entered];
  const title = element("legend", {}, "Team");
  const recents = element("div", { class: "picks" }, ...picks);
  return [element("fieldset", { "data-only": "delivery withdrawal" }, title, recents), entered];
}

function header({ item, change }: Values): HTMLElement {
  const unit = item.unit === "pcs" ? "" : ` ${item.unit}`;
  const price = item.unitPrice === null ? "" : ` · ${formatPence(item.unitPrice)}`;
  const amount = formatNumber(afterChange(item.amount, change));
  const books = change === 0 ? "" : ` (${describeChange(item.amount, change)})`;
  const note = `${amount}${unit} in stock${books}${price}`;
  const title = element("h1", { id: "dialog-title" }, item.name);
  const texts = element("div", { class: "grow" }, title, element("p", { class: "note" }, note));
  const close = element(
    "button",
    { type: "button", class: "btn quiet", "data-close": true },
    "Close",
  );
  return element("header", {}, texts, close);
}

function formOf(values: Values): HTMLFormElement {
  const { item, change, offers, action, today, chosen } = values;
  const { destinations } = offers;
  const actions = ACTIONS.filter(({ value }) => value !== "transfer" || destinations.length > 0);
  const action_ = choices("action", "Action", actions, action);
  action_.dataset.amount = String(item.amount + change);
  const quantity = field("quantity", "Quantity", {
    value: chosen.quantity ?? "1",
    inputmode: "numeric",
    autocomplete: "off",
    "data-select": true,
    "aria-required": "true",
    ...QUANTITY,
  });
  const after = element("span", { class: "badge num", role: "status", "data-after": true });
  const sites = choices("destination", "Destination site", destinations, chosen.destination);
  const day = { type: "date", value: chosen.date ?? today, ...dayUntil(today) };
  return element(
    "form",
    { class: "form", method: "post", novalidate: true },
    element("div", { "data-alerts": true }),
    action_,
    quantity,
    element("p", { class: "row" }, after),
    ...(destinations.length > 0 ? [element("div", { "data-only": "transfer" }, sites)] : []),
    ...teamParts(values),
    field("date", "Date", { "aria-required": "true", ...day }),
    element(
      "footer",
      {},
      element("button", { type: "button", class: "btn", "data-close": true }, "Cancel"),
      element("button", { class: "btn primary" }, "Save"),
    ),
  );
}

/** Fills a dialog; returns its form. */
export function fill(dialog: HTMLDialogElement, values: Values): HTMLFormElement {
  const form = formOf(values);
  dialog.replaceChildren(header(values), form);
  return form;
}
