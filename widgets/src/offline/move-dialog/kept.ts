/** Says in the live region what became of an entry: that it waits in the outbox, or was booked. */

import { element } from "../../shared/element";
import { clearLater, KEPT, notSentYet, showStatus } from "../../shared/messages";
import { isRecord } from "../../shared/requests";

/** Shows a message with a link to the outbox. */
export function showWithLink(message: string, link: string): void {
  const region = document.getElementById("live");
  if (!region) return;
  const outbox = element("a", { class: "btn quiet", href: "/outbox" }, link);
  region.replaceChildren(element("div", { class: "message" }, element("p", {}, message), outbox));
  // Not longer for its link, which the header has too: it covers rows.
  clearLater(region);
}

/** Says that an entry is kept, and how many wait. */
export function showKept(waiting: number): void {
  showWithLink(KEPT, notSentYet(waiting));
}

/** Shows the server's message about an entry that it has booked. */
export function showBooked(reply: unknown): void {
  const message = isRecord(reply) ? reply.message : null;
  if (typeof message === "string") showStatus(message);
}
