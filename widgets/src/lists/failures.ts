/** Handles failed requests of htmx: renews the session, or shows a message near the form. */
import htmx from "htmx.org";
import { alertNear, isOurs, NO_CONNECTION, noReplyMessage } from "../shared/failures";
import { HTMX, type RequestDetail } from "../shared/htmx-events";
import { renewSession, signInAgain } from "../shared/session";
import { on } from "./events";
import { loadMoves } from "./moves";

/** The elements whose request is being repeated after a renewal. */
const repeated = new WeakSet<Element>();

/** Returns the message of a request without a reply; a dialog has its own for what it was to do. */
function messageOf({ elt, target, requestConfig: { path, verb } }: RequestDetail): string {
  const isChange = verb !== "get";
  const [, mode = ""] = /action\?mode=(\w+)/.exec(path) ?? [];
  const undone = (target as HTMLElement).dataset[mode];
  if (undone && !isChange) return undone;
  const { failure } = elt.closest<HTMLElement>("[data-failure]")?.dataset ?? {};
  return noReplyMessage(failure ?? "Failed to load inventory", isChange);
}

/** Handles a request without a reply of the server: stock is moved without a connection, where it can be. */
function fail(detail: RequestDetail): void {
  const show = () => alertNear(detail.elt, messageOf(detail));
  const { moves } = (detail.target as HTMLElement).dataset;
  // Its script may not be there, or this browser keep nothing.
  if (moves)
    loadMoves(moves, (live) => live.takeOver(detail)).then((isDone) => isDone || show(), show);
  else show();
}

/** Goes to the sign-in; what was typed in a dialog is filled in after it, on the form's own page. */
async function signInFor({ elt, requestConfig }: Pick<RequestDetail, "elt" | "requestConfig">) {
  const { path, verb } = requestConfig;
  if (verb !== "post" || !(elt instanceof HTMLFormElement) || !elt.closest("dialog")) {
    return signInAgain();
  }
  try {
    const { storeUnsent } = await import("../forms/unsent");
    storeUnsent(elt, path);
  } finally {
    signInAgain(path);
  }
}

/** Renews the session and sends the request once more; else goes to the sign-in. */
async function renewAndRepeat({ elt, target, requestConfig }: RequestDetail): Promise<void> {
  const renewal = await renewSession();
  if (renewal === "unreachable") return alertNear(elt, NO_CONNECTION);
  if (renewal !== "renewed") return signInFor({ elt, requestConfig });
  repeated.add(elt);
  try {
    await htmx.ajax(requestConfig.verb, requestConfig.path, {
      source: elt as HTMLElement,
      target: target as HTMLElement,
    });
  } finally {
    repeated.delete(elt);
  }
}

/** Sends a list's filters once the connection is back: until then the list isn't what they say. */
function sendFilters(): void {
  const filters = document.getElementById("filters");
  if (filters) htmx.trigger(filters, "submit");
}

export function watchFailures(): void {
  on(HTMX.beforeRequest, ({ elt, requestConfig }) => {
    // A lookup while somebody types leaves the message of what failed before.
    if (!(elt instanceof HTMLInputElement)) {
      document.getElementById("alerts")?.replaceChildren();
    }
    // The message of an earlier change must not appear beside an error of this one. Its own Undo
    // stays: once detached, it couldn't make the list reload.
    const live = document.getElementById("live");
    if (requestConfig.verb === "post" && !live?.contains(elt)) live?.replaceChildren();
  });
  on(HTMX.beforeOnLoad, (detail, event) => {
    if (detail.xhr.status !== 401) return;
    event.preventDefault();
    if (repeated.has(detail.elt)) void signInFor(detail);
    else void renewAndRepeat(detail);
  });
  on(HTMX.beforeSwap, (detail) => {
    if (!isOurs((header) => detail.xhr.getResponseHeader(header))) {
      detail.shouldSwap = false;
      fail({ ...detail, elt: detail.requestConfig.elt });
      return;
    }
    // An error belongs above the content, or above the form while a dialog is open.
    const dialogAlerts = document.querySelector("dialog[open] [data-alerts]");
    if (dialogAlerts && detail.xhr.getResponseHeader("HX-Retarget") === "#alerts") {
      detail.target = dialogAlerts;
    }
  });
  on(HTMX.sendError, (detail) => {
    fail(detail);
    if (detail.elt.id === "filters") addEventListener("online", sendFilters, { once: true });
  });
  on(HTMX.timeout, fail);
}
