/** Listens to htmx's events, which all arrive at the document. */
import type { RequestDetail } from "../shared/htmx-events";

/** Handles an event of htmx about a request. */
export function on(
  name: string,
  handle: (detail: RequestDetail, event: CustomEvent<RequestDetail>) => void,
): void {
  document.addEventListener(name, (event) => {
    const request = event as CustomEvent<RequestDetail>;
    handle(request.detail, request);
  });
}
