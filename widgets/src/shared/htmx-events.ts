/** htmx's event names, all in one place (they differ between its versions). */
export const HTMX = {
  beforeRequest: "htmx:beforeRequest",
  beforeOnLoad: "htmx:beforeOnLoad",
  afterRequest: "htmx:afterRequest",
  beforeSwap: "htmx:beforeSwap",
  afterSwap: "htmx:afterSwap",
  afterSettle: "htmx:afterSettle",
  oobAfterSwap: "htmx:oobAfterSwap",
  sendError: "htmx:sendError",
  timeout: "htmx:timeout",
} as const;

/** What htmx tells of a request. */
export interface RequestDetail {
  elt: Element;
  target: Element;
  xhr: XMLHttpRequest;
  requestConfig: { elt: Element; verb: "get" | "post"; path: string; triggeringEvent?: Event };
}
