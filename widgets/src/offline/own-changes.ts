/**
 * The person's own changes of stock, after which what this browser has of it is read again: below
 * ground, their own bookings must be in it.
 */
import { subscribe } from "../outbox/announcements";
import { openDatabase } from "../outbox/database";
import { HTMX, type RequestDetail } from "../shared/htmx-events";
import { STOCK_CHANGED } from "../shared/operations";
import { isOfStock } from "../shared/stores";

/** Changes that come together are read together, after what the page itself loads. */
export const PAUSE_MS = 5_000;
const CHANGED_AT = "stock-changed-at";

/** Notes a change for the pages that follow: this one may be left before it is read. */
function note(): void {
  try {
    localStorage.setItem(CHANGED_AT, String(Date.now()));
  } catch {
    // This page reads it.
  }
}

function notedAt(): number {
  try {
    return Number(localStorage.getItem(CHANGED_AT));
  } catch {
    return 0;
  }
}

/** Returns when a user last changed stock here, in ms of this browser's clock; 0 for never. */
export async function changedAt(user: number): Promise<number> {
  // The service worker sends while no page is open.
  const sent = await (await openDatabase()).getAllFromIndex("sent", "user", user);
  return Math.max(notedAt(), ...sent.map(({ sentAt }) => sentAt));
}

function isChange({ requestConfig, xhr }: RequestDetail): boolean {
  return requestConfig.verb === "post" && xhr.status >= 200 && xhr.status < 300;
}

/** Reads again after each change, one after the other and after the `first`; returns how to end that. */
export function watchOwnChanges(read: () => Promise<void>, first: Promise<void>): () => void {
  let isPlanned = false;
  let reading = first.catch(() => {});
  const plan = () => {
    note();
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      // The next page reads what fails.
      reading = reading.then(read).catch(() => {});
    }, PAUSE_MS);
  };
  const planAfter = (event: Event) => {
    if (isChange((event as CustomEvent<RequestDetail>).detail)) plan();
  };
  const unsubscribe = subscribe((announcement) => {
    if (announcement.type === "sent" && isOfStock(announcement.entry.subject)) plan();
  });
  document.addEventListener(STOCK_CHANGED, plan);
  document.addEventListener(HTMX.afterRequest, planAfter);
  return () => {
    unsubscribe();
    document.removeEventListener(STOCK_CHANGED, plan);
    document.removeEventListener(HTMX.afterRequest, planAfter);
  };
}
