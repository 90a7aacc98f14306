/** Moves the focus when the control that had it was removed. */

/** The id of the row that takes the focus then. */
let nextRowId = "rows";

export function setNextRow(id: string): void {
  nextRowId = id;
}

/** Focuses the next row, or the heading without one. */
export function focusNextRow(): void {
  const next = document.querySelector<HTMLElement>(`#${CSS.escape(nextRowId)} :is(a,summary)`);
  (next ?? document.querySelector<HTMLElement>("#main h1"))?.focus();
}
