/** Messages of a script: a failure above the content, a result in the live region. */

const MESSAGE_MS = 8_000;

/** Shows an error in a container above the content, and scrolls it into view. */
export function showAlert(container: Element | null, message: string): void {
  const alert = document.createElement("p");
  alert.className = "notice bad";
  alert.setAttribute("role", "alert");
  alert.textContent = message;
  container?.replaceChildren(alert);
  alert.scrollIntoView({ block: "nearest" });
}

let timer = 0;

/** Empties the live region after a while, unless it shows something else or has the focus by then. */
export function clearLater(region: Element, delay: number = MESSAGE_MS): void {
  const message = region.firstElementChild;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (region.firstElementChild !== message) return;
    if (region.contains(document.activeElement)) clearLater(region, delay);
    else region.replaceChildren();
  }, delay);
}

/** Shows a result in the live region. */
export function showStatus(message: string): void {
  const region = document.getElementById("live");
  const status = document.createElement("p");
  status.textContent = message;
  region?.replaceChildren(status);
  if (region) clearLater(region);
}

/** What people read wherever something waits in this browser until it is sent. */
export const KEPT = "Kept on this phone. It counts once it is sent.";

/** Returns '2 not sent yet'. */
export function notSentYet(count: number): string {
  return `${count} not sent yet`;
}
