/** The names of htmx's events, which differ between its versions. */
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

/** The details of htmx's events about a request. */
export interface RequestDetail {
  elt: Element;
  target: Element;
  xhr: XMLHttpRequest;
  /** Of beforeSwap only: whether the reply is swapped in. */
  shouldSwap?: boolean;
  requestConfig: {
    elt: Element;
    verb: "get" | "post";
    path: string;
    /** What is sent. */
    formData?: FormData;
    triggeringEvent?: Event;
  };
}
