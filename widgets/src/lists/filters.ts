/** The filters of a list: Reset, sorting, Enter, and values entered before the script was loaded. */
import htmx from "htmx.org";
import { HTMX } from "../shared/htmx-events";
import { on } from "./events";
import { focusFirstRow } from "./focus";

/** Returns whether an address filters its list; the page, the order and `tabs` are no filters. */
function isFiltered(query: URLSearchParams, tabs = ""): boolean {
  return [...query].some(
    ([name, value]) => value !== "" && !["page", "after", "sort", tabs].includes(name),
  );
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLInputElement) return control.value !== control.defaultValue;
  if (!(control instanceof HTMLSelectElement)) return false;
  const options = [...control.options];
  const initial = options.find((option) => option.defaultSelected) ?? options[0];
  return control.selectedOptions[0] !== initial;
}

/** Sends filters that the user filled in before the script was loaded. */
export function resendFilledIn(root: ParentNode): void {
  const filters = root.querySelector<HTMLFormElement>("form#filters");
  if (filters && [...filters.elements].some(isChanged)) htmx.trigger(filters, "submit");
}

/** Turns days that were wrong, and are right now, into date inputs again. */
function acceptCorrectedDays(): void {
  for (const day of document.querySelectorAll<HTMLInputElement>("#filters [aria-invalid]")) {
    day.removeAttribute("aria-invalid");
    day.type = "date";
  }
}

/** Selects what an address says; an order that so many rows can't have is the list's own. */
function choose(select: HTMLSelectElement, query: URLSearchParams): void {
  select.value = query.get(select.name) ?? "";
  if (select.selectedIndex < 0) select.value = "";
}

export function watchFilters(): void {
  document.addEventListener("focusin", ({ target }) => {
    // A list comes back with its last search, and the next one replaces it. A tap first puts the caret.
    if (target instanceof HTMLInputElement && target.id === "q")
      requestAnimationFrame(() => target.select());
  });
  let enteredAt = 0;
  document.addEventListener("submit", (event) => {
    // A script sends the filters by an event of its own.
    if (event instanceof SubmitEvent && (event.target as Element).id === "filters")
      enteredAt = event.timeStamp;
  });
  on(HTMX.afterSettle, ({ requestConfig: { elt, triggeringEvent } }) => {
    // Text typed before Enter may be sent after it.
    const { timeStamp = Infinity } = triggeringEvent ?? {};
    const hasFocus = document.activeElement?.matches("#q,body");
    if (elt.id === "filters" && timeStamp <= enteredAt && hasFocus) focusFirstRow();
  });
  on(HTMX.afterSwap, ({ target, xhr }) => {
    if (target.id === "list" && xhr.status < 400) acceptCorrectedDays();
    const query = new URLSearchParams(location.search);
    const reset = document.getElementById("reset");
    if (reset) {
      reset.hidden = !isFiltered(query, reset.dataset.tabs);
      // A phone has no room for the views of the whole list.
      document.querySelector(".views")?.classList.toggle("wide", reset.hidden);
    }
    // A list can be sorted by its headings too, which don't change the filters.
    const sort = document.querySelector<HTMLSelectElement>("select#in-sort");
    if (sort) choose(sort, query);
  });
  document.addEventListener(HTMX.oobAfterSwap, (event) => {
    const { target } = (event as CustomEvent<{ target: Element }>).detail;
    // A select forgets its choice when its options are replaced.
    if (target instanceof HTMLSelectElement) {
      choose(target, new URLSearchParams(location.search));
    }
  });
}
