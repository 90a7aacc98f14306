/** The rows of a list after a change: the mark of a changed row, the focus and previews. */
import { previewAll } from "../forms/stock";
import { HTMX } from "../shared/htmx-events";
import { on } from "./events";
import { returnFocus } from "./focus";

const ROW_MARKED_MS = 4_000;

/** Removes the rows that a reply replaces: htmx dispatches two events for each of their elements. */
function removeRows(list: Element): void {
  for (const rows of list.querySelectorAll("tbody")) {
    if (!rows.contains(document.activeElement)) rows.replaceChildren();
  }
}

export function watchRows(): void {
  on(HTMX.beforeSwap, ({ target, shouldSwap }) => {
    if (target.id === "list" && shouldSwap) removeRows(target);
  });
  document.addEventListener(HTMX.oobAfterSwap, (event) => {
    const { target } = (event as CustomEvent<{ target: Element }>).detail;
    const row = document.getElementById(target.id);
    if (row?.matches("tr,tbody")) setTimeout(() => row.classList.remove("changed"), ROW_MARKED_MS);
  });
  on(HTMX.afterSettle, ({ target }) => {
    // The list or the message was replaced, with the control that had the focus.
    if (target?.matches("#list,#live,#item")) returnFocus();
    const addition = target?.closest<HTMLElement>("[data-addition]");
    if (addition) previewAll(document);
    if (addition?.hasAttribute("data-proposes")) {
      void import("../forms/last-order").then((orders) => orders.proposeLastOrder(addition));
    }
  });
}
