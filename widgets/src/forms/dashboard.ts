/** The dashboard: Refresh asks whether the server is there, Extend Login Time stays on the page. */
import { request, SignedOut, sayFailure } from "../shared/api";
import { sayAbove, sayLive } from "../shared/messages";

interface Extended {
  until: string;
  time: string;
  said: string;
}

/** Does some work once at a time, and says above the content when it fails. */
function saying(failure: string, work: () => Promise<void>): (event: Event) => Promise<void> {
  let busy = false;
  return async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const place = document.getElementById("alerts");
    place?.replaceChildren();
    document.getElementById("live")?.replaceChildren();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SignedOut)) sayAbove(place, sayFailure(error, failure, false));
    } finally {
      busy = false;
    }
  };
}

/** Lets a link load the page again only when the server answers. */
export function pingFirst(link: HTMLAnchorElement): void {
  const refresh = saying("Ping failed", async () => {
    await request("GET", link.dataset.ping ?? "");
    location.reload();
  });
  link.addEventListener("click", (event) => {
    // A new tab or window is the browser's to open.
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) void refresh(event);
  });
}

/** Extends the login time without leaving the page, and says until when. */
export function extendHere(form: HTMLFormElement): void {
  const extend = saying("Refresh failed", async () => {
    // An open menu would cover what is said.
    form.closest<HTMLElement>("[popover]")?.hidePopover?.();
    const { body } = await request<Extended>("POST", form.getAttribute("action") ?? "");
    const { until, time, said } = body;
    sayLive(said);
    const shown = document.querySelector<HTMLTimeElement>("#signed-in-until");
    if (!shown) return;
    shown.dateTime = until;
    shown.textContent = time;
  });
  form.addEventListener("submit", (event) => void extend(event));
}
