/** The results in the live region: they are cleared after a while. */
import htmx from "htmx.org";
import { HTMX } from "../shared/htmx-events";
import { clearLater } from "../shared/messages";
import { type Done, OPERATION_DONE } from "../shared/operations";
import { on } from "./events";
import { returnFocus } from "./focus";

/** A message with an action stays longer: the user needs time to decide. */
const MESSAGE_WITH_ACTION_MS = 20_000;

function clearMessageLater(region: Element): void {
  clearLater(region, region.querySelector("a, form") ? MESSAGE_WITH_ACTION_MS : undefined);
}

export function watchMessages(): void {
  on(HTMX.afterSwap, ({ target }) => {
    if (target.id === "live") clearMessageLater(target);
  });
  document.addEventListener(HTMX.oobAfterSwap, (event) => {
    const { target } = (event as CustomEvent<{ target: Element }>).detail;
    if (target.id === "live") clearMessageLater(target);
  });
  document.addEventListener("click", ({ target, detail }) => {
    if (!(target instanceof Element) || !target.closest("[data-dismiss]")) return;
    document.getElementById("live")?.replaceChildren();
    // After a tap the list stays where it is.
    if (detail === 0) returnFocus();
  });
  document.addEventListener(OPERATION_DONE, async (event) => {
    const region = document.getElementById("live");
    if (!region) return;
    const { url } = (event as CustomEvent<Done>).detail;
    await htmx.ajax("get", url, { target: region, swap: "innerHTML" });
  });
}
