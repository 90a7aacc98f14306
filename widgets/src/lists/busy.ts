/** Shows that a request is under way: the list is busy, the form's buttons disabled. */
import { HTMX } from "../shared/htmx-events";
import { on } from "./events";

function setBusy(elt: Element, target: Element, isBusy: boolean): void {
  if (target.id === "list") target.setAttribute("aria-busy", String(isBusy));
  if (!elt.matches("form[method=post]")) return;
  const buttons = elt.querySelectorAll<HTMLButtonElement>("footer button");
  for (const button of buttons) button.disabled = isBusy;
  // A disabled button loses the focus: give it back, so that a failed form can be sent again.
  if (!isBusy && document.activeElement === document.body) buttons[0]?.focus();
}

export function watchBusy(): void {
  on(HTMX.beforeRequest, ({ elt, target }) => setBusy(elt, target, true));
  on(HTMX.afterRequest, ({ elt, target }) => setBusy(elt, target, false));
}
