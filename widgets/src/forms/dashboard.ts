/** The dashboard: Refresh pings the server first, Extend Login Time stays on the page. */
import { failureMessage, request, SignedOut } from "../shared/api";
import { showAlert, showStatus } from "../shared/messages";

interface Extended {
  until: string;
  time: string;
  message: string;
}

/** Returns a handler that runs some work, not twice at once, and shows its failure. */
function handlerOf(failure: string, work: () => Promise<void>): (event: Event) => Promise<void> {
  let busy = false;
  return async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const alerts = document.getElementById("alerts");
    alerts?.replaceChildren();
    document.getElementById("live")?.replaceChildren();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SignedOut)) showAlert(alerts, failureMessage(error, failure, false));
    } finally {
      busy = false;
    }
  };
}

/** Makes a link reload the page only when the server replies. */
export function pingFirst(link: HTMLAnchorElement): void {
  const refresh = handlerOf("Ping failed", async () => {
    await request("GET", link.dataset.ping ?? "");
    location.reload();
  });
  link.addEventListener("click", (event) => {
    // New tabs and windows are left to the browser.
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) void refresh(event);
  });
}

/** Extends the login time without leaving the page, and shows until when. */
export function extendInPlace(form: HTMLFormElement): void {
  const extend = handlerOf("Refresh failed", async () => {
    // An open menu would cover the message.
    form.closest<HTMLElement>("[popover]")?.hidePopover?.();
    const { body } = await request<Extended>("POST", form.getAttribute("action") ?? "");
    const { until, time, message } = body;
    showStatus(message);
    const element = document.querySelector<HTMLTimeElement>("#signed-in-until");
    if (!element) return;
    element.dateTime = until;
    element.textContent = time;
  });
  form.addEventListener("submit", (event) => void extend(event));
}
