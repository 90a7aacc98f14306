/** The dialog of a list page: opens on the form that was loaded, and returns the focus on closing. */
import { previewAll } from "../forms/stock";
import { HTMX, type RequestDetail } from "../shared/htmx-events";
import { on } from "./events";
import { returnFocus, setOpener } from "./focus";

/** What mounts widgets, once a dialog has had one: most lists are left without. */
let widgets: typeof import("../shared/mount") | null = null;

async function mountWidgets(dialog: HTMLDialogElement): Promise<void> {
  widgets = await import("../shared/mount");
  widgets.mountWidgets(dialog);
}

/** Opens the dialog on its content. */
function open(dialog: HTMLDialogElement): void {
  previewAll(dialog);
  if (!dialog.open) dialog.showModal();
  if (dialog.querySelector("[data-widget]")) void mountWidgets(dialog);
  const problems = dialog.querySelector<HTMLElement>("[data-problems]");
  (problems ?? dialog.querySelector<HTMLElement>("[autofocus]"))?.focus();
}

export function watchDialog(dialog: HTMLDialogElement | null): void {
  if (!dialog) return;
  on(HTMX.beforeRequest, ({ elt, target }: RequestDetail) => {
    if (target !== dialog || dialog.open || !(elt instanceof HTMLAnchorElement)) return;
    setOpener(elt);
  });
  on(HTMX.afterSwap, ({ target }) => {
    if (target !== dialog) return;
    // A reply that has nothing to close means that the dialog is finished.
    if (dialog.querySelector("[data-close]")) open(dialog);
    else dialog.close();
  });
  dialog.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-close]")) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => {
    const isStale = dialog.querySelector("[data-stale]") !== null;
    widgets?.unmountWidgets(dialog);
    dialog.replaceChildren();
    returnFocus();
    if (isStale) location.reload();
  });
}
