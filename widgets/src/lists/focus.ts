/** Gives a lost focus back to the item of the last change. */

declare global {
  interface HTMLElement {
    /** Opens a popover; Tab leads to it from its source, in browsers that know one. */
    showPopover(options: { source: HTMLElement }): void;
  }
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const linkIn = (id: string) => find(`#${CSS.escape(id)} :is(a,summary)`);

/** The address of the link that led to the change, and the id of the row after its own. */
let href: string | null = null;
let nextRowId = "rows";

/** Notes the link that opens a dialog. */
export function setOpener(link: HTMLAnchorElement): void {
  const row = link.closest("tr");
  // A vehicle check is a table body of its own: the focus stays in it.
  nextRowId = row?.nextElementSibling?.id || row?.parentElement?.id || "rows";
  href = link.getAttribute("href");
}

export function focusFirstRow(): void {
  linkIn("rows")?.focus();
}

/** Returns the link, or the button of its closed menu; else the next row, or the heading. */
function findPlace(): HTMLElement | null {
  const link = href && find(`a[href="${CSS.escape(href)}"]`);
  if (!link) return linkIn(nextRowId) ?? find("#main h1");
  const menu = link.getClientRects().length ? null : link.closest("[popover]");
  return menu ? find(`[popovertarget="${menu.id}"]`) : link;
}

/** Gives a lost focus to the item, and puts the message after it in the order of Tab. */
export function returnFocus(): void {
  const source = findPlace();
  if (document.activeElement === document.body) source?.focus();
  const message = find("#live .message");
  // A popover would cover an open dialog, whose close returns the focus again.
  if (!message?.showPopover || !source || find("dialog[open]")) return;
  // One that is open already must close before it gets another source.
  message.popover = null;
  // Tab never stops at a heading: the message stays the last of the page.
  if (source.tabIndex < 0) return;
  message.popover = "manual";
  message.showPopover({ source });
}
