/** The dialog of a list page: opens on the form that was loaded, and returns the focus on closing. */
import { previewAll } from "../forms/stock";
import { HTMX, type RequestDetail } from "../shared/htmx-events";
import { on } from "./events";
import { focusNextRow, setNextRow } from "./focus";

/** The link that opened the dialog, and the id of the row after its own. */
interface Opener {
  href: string;
  nextRowId: string;
}

function openerOf(link: HTMLAnchorElement): Opener {
  const row = link.closest("tr");
  // A vehicle check is a table body of its own: the focus stays in it.
  const nextRowId = row?.nextElementSibling?.id || row?.parentElement?.id || "rows";
  return { href: link.getAttribute("href") ?? "", nextRowId };
}

/** Focuses a link, or the button of its menu, which the dialog has closed. */
function focusLink(link: HTMLElement): void {
  link.focus();
  const menu = link.closest("[popover]")?.id;
  if (menu && document.activeElement !== link)
    document.querySelector<HTMLElement>(`[popovertarget="${menu}"]`)?.focus();
}

function returnFocus({ href, nextRowId }: Opener): void {
  const link = document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
  setNextRow(nextRowId);
  if (link) focusLink(link);
  else focusNextRow();
}

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
  let opener: Opener | null = null;

  on(HTMX.beforeRequest, ({ elt, target }: RequestDetail) => {
    if (target !== dialog || dialog.open || !(elt instanceof HTMLAnchorElement)) return;
    opener = openerOf(elt);
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
    if (opener) returnFocus(opener);
    opener = null;
    if (isStale) location.reload();
  });
}
