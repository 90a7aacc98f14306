/** The rows of a list after a change: the mark of a changed row, the focus and previews. */
import { previewAll } from "../forms/stock";
import { HTMX } from "../shared/htmx-events";
import { on } from "./events";
import { focusNextRow } from "./focus";

const ROW_MARKED_MS = 4_000;

export function watchRows(): void {
  document.addEventListener(HTMX.oobAfterSwap, (event) => {
    const { target } = (event as CustomEvent<{ target: Element }>).detail;
    const row = document.getElementById(target.id);
    if (row?.matches("tr,tbody")) setTimeout(() => row.classList.remove("changed"), ROW_MARKED_MS);
  });
  on(HTMX.afterSettle, ({ target }) => {
    // The list was replaced, with the control that had the focus.
    if (target?.id === "list" && document.activeElement === document.body) focusNextRow();
    const addition = target?.closest<HTMLElement>("[data-addition]");
    if (addition) previewAll(document);
    if (addition?.hasAttribute("data-proposes")) {
      void import("../forms/last-order").then((orders) => orders.proposeLastOrder(addition));
    }
  });
}
