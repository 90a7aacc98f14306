/** Events by which a widget notifies the list of its page. */

/** The stock has changed. */
export const STOCK_CHANGED = "stock-changed";
/** An operation is done: `detail.url` is the address of its result, with Undo. */
export const OPERATION_DONE = "operation-done";

export interface Done {
  url: string;
}

/** Notifies the page that an operation is done; {id} in the template is replaced by its number. */
export function announce(template: string, operation: number): void {
  const detail: Done = { url: template.replace("{id}", String(operation)) };
  document.body.dispatchEvent(new CustomEvent(STOCK_CHANGED, { bubbles: true }));
  document.body.dispatchEvent(new CustomEvent(OPERATION_DONE, { bubbles: true, detail }));
}
