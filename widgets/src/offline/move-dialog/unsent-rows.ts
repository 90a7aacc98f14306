/** Says in the rows of a live stock list what is not sent yet, and reloads it when it was sent. */
import { entriesOf, subscribe } from "../../outbox";
import { afterChange, describeChange, pendingOf } from "../../outbox/pending";
import { element } from "../../shared/element";
import { HTMX } from "../../shared/htmx-events";
import { formatNumber, parseWhole } from "../../shared/money";
import { STOCK_CHANGED } from "../../shared/operations";
import { isOfStock, stockName } from "../../shared/stores";
import { screenAt } from "../addresses";
import { showBooked } from "./kept";

/** Returns the store whose list the page shows; '' on other pages. */
function storeOfPage(): string {
  const screen = screenAt(new URL(location.href));
  return screen?.screen === "list" ? stockName(screen) : "";
}

/** Shows an item's amount after what is not sent yet, as the offline list does, or that of the books. */
function markAmount(cell: HTMLElement, change: number): void {
  const amount = cell.firstChild;
  if (!amount) return;
  const { booked = amount.textContent ?? "" } = cell.dataset;
  cell.querySelector(".unsent-change")?.remove();
  amount.textContent = booked;
  delete cell.dataset.booked;
  const number = parseWhole(booked);
  if (change === 0 || number === null) return;
  cell.dataset.booked = booked;
  amount.textContent = formatNumber(afterChange(number, change));
  cell.append(
    element("span", { class: "unit unsent-change" }, ` ${describeChange(number, change)}`),
  );
}

async function mark(): Promise<void> {
  const entries = await entriesOf(Number(document.body.dataset.user));
  const pending = pendingOf(entries, storeOfPage());
  for (const row of document.querySelectorAll<HTMLElement>("#rows > [id^=i]")) {
    const name = row.querySelector("th")?.textContent?.trim() ?? "";
    const cell = row.querySelector<HTMLElement>(".amount");
    if (cell) markAmount(cell, pending.of(Number(row.id.slice(1)), name));
  }
}

let isWatching = false;

/** Marks the rows now and after every change of the list or the outbox. */
export function watchUnsent(): void {
  if (!isWatching) {
    isWatching = true;
    document.addEventListener(HTMX.afterSettle, () => void mark());
    subscribe((announcement) => {
      if (announcement.type === "changed") void mark();
      if (announcement.type !== "sent" || !isOfStock(announcement.entry.subject)) return;
      document.body.dispatchEvent(new CustomEvent(STOCK_CHANGED, { bubbles: true }));
      showBooked(announcement.reply);
    });
  }
  void mark();
}
