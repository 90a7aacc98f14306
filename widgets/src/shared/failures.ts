/** The words for a request that got no reply of the server, and the place where they appear. */
import { showAlert } from "./messages";

export const NO_CONNECTION = "No connection. Try again.";
const UNCERTAIN = "No connection. Nothing is lost. Try again; the change is made only once.";

/** Returns the message of a request that got no reply; `isChange` if sending it again is safe. */
export function noReplyMessage(failure: string, isChange: boolean): string {
  return `${failure}. ${isChange ? UNCERTAIN : NO_CONNECTION}`;
}

/** Returns whether a reply, whose headers `read` returns, is from our server: a proxy's has no policy. */
export function isOurs(read: (header: string) => string | null): boolean {
  return read("Content-Security-Policy") !== null;
}

/** Returns where an element's failures appear: in its dialog or form, else above the content. */
function alertsOf(element: Element): Element | null {
  const root = element.closest("dialog, form") ?? document;
  return root.querySelector("[data-alerts]") ?? document.getElementById("alerts");
}

/** Shows a failure above the content, or in the open dialog. */
export function alertNear(element: Element, message: string): void {
  showAlert(alertsOf(element), message);
}

/** Removes the failure of an earlier request. */
export function clearAlerts(element: Element): void {
  alertsOf(element)?.replaceChildren();
}
