/** What a widget tells the list it stands on. */

/** The stock on show is no longer what it was. */
export const STOCK_CHANGED = "stock-changed";
/** An operation is done; its result, with Undo, is to be had at `detail.url`. */
export const OPERATION_DONE = "operation-done";

export interface Done {
  url: string;
}

/** Says on the page that an operation is done, where its result can be read. */
export function announce(template: string, operation: number): void {
  const detail: Done = { url: template.replace("{id}", String(operation)) };
  document.body.dispatchEvent(new CustomEvent(STOCK_CHANGED, { bubbles: true }));
  document.body.dispatchEvent(new CustomEvent(OPERATION_DONE, { bubbles: true, detail }));
}
