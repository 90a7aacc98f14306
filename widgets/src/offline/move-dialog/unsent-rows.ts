/** Says in the rows of a live stock list what is not sent yet, and reloads it when it was sent. */
import { entriesOf, subscribe } from "../../outbox";
import { changeOf, describeChange, pendingOf } from "../../outbox/pending";
import { HTMX } from "../../shared/htmx-events";
import { STOCK_CHANGED } from "../../shared/operations";
import { screenAt, stockName } from "../addresses";
import { make } from "./elements";
import { showBooked } from "./kept";

/** Returns the store whose list the page shows; '' on other pages. */
function storeOfPage(): string {
  const screen = screenAt(new URL(location.href));
  return screen?.screen === "list" ? stockName(screen) : "";
}

async function mark(): Promise<void> {
  const entries = await entriesOf(Number(document.body.dataset.user));
  const pending = pendingOf(entries, storeOfPage());
  for (const old of document.querySelectorAll("#rows .pending")) old.remove();
  for (const row of document.querySelectorAll<HTMLElement>("#rows > [id^=i]")) {
    const name = row.querySelector("th")?.textContent?.trim() ?? "";
    const change = changeOf(pending, Number(row.id.slice(1)), name);
    if (change === 0) continue;
    const note = `${describeChange(change)} not sent yet`;
    row.querySelector(".amount")?.append(make("span", { class: "unit pending" }, ` ${note}`));
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
      if (announcement.type !== "sent" || announcement.entry.kind !== "move") return;
      document.body.dispatchEvent(new CustomEvent(STOCK_CHANGED, { bubbles: true }));
      showBooked(announcement.reply);
    });
  }
  void mark();
}
