/** Runs on list pages: htmx, dialogs, and what happens when a request fails. */
import htmx from "htmx.org";
import { previewAll } from "./forms/stock";
import { HTMX, type RequestDetail } from "./shared/htmx-events";
import { clearLater, sayAbove } from "./shared/messages";
import { mountWidgets, unmountWidgets } from "./shared/mount";
import { type Done, OPERATION_DONE } from "./shared/operations";
import { renewSession, signInAgain } from "./shared/session";

const NO_CONNECTION = "No connection. Try again.";
const NOT_SURE = "No connection. Nothing is lost: try again, it counts only once.";
const MESSAGE_WITH_BUTTON_STAYS = 20_000;
const ROW_STAYS_MARKED = 4_000;

function on(name: string, hear: (detail: RequestDetail, event: Event) => void): void {
  document.addEventListener(name, (event) =>
    hear((event as CustomEvent<RequestDetail>).detail, event),
  );
}

const dialog = document.querySelector<HTMLDialogElement>("dialog#dialog");
let opener: { href: string; nextRow: string | undefined } | null = null;

function open(): void {
  if (!dialog) return;
  previewAll(dialog);
  if (!dialog.open) dialog.showModal();
  mountWidgets(dialog);
  if (dialog.querySelector("[data-new-id]"))
    void import("./forms/new-ids").then((ids) => ids.fillNewIds(dialog));
  const problems = dialog.querySelector<HTMLElement>("[data-problems]");
  (problems ?? dialog.querySelector<HTMLElement>("[autofocus]"))?.focus();
}

function returnFocus(): void {
  if (!opener) return;
  const { href, nextRow } = opener;
  const same = document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
  nearby = nextRow || "rows";
  if (same) same.focus();
  else focusNearby();
  opener = null;
}

/** The row whose control has the focus next when the one that had it is gone. */
let nearby = "rows";

function focusNearby(): void {
  const next = document.querySelector<HTMLElement>(`#${CSS.escape(nearby)} :is(a,summary)`);
  (next ?? document.querySelector<HTMLElement>("#main h1"))?.focus();
}

/** Says above the content, or in the open dialog, what went wrong. */
function alertNear(element: Element, message: string): void {
  sayAbove(
    (element.closest("dialog") ?? document).querySelector("[data-alerts], #alerts"),
    message,
  );
}

function failureOf(elt: Element): string {
  return elt.closest<HTMLElement>("[data-failure]")?.dataset.failure ?? "Failed to load inventory";
}

function failed({ elt, requestConfig }: RequestDetail): void {
  alertNear(elt, `${failureOf(elt)}. ${requestConfig.verb === "get" ? NO_CONNECTION : NOT_SURE}`);
}

/** Renews the login session once and sends the request again; else leads to the sign-in. */
async function renewAndRepeat({ elt, target, requestConfig }: RequestDetail): Promise<void> {
  const renewal = await renewSession();
  if (renewal === "refused") return signInAgain();
  if (renewal === "unreachable") return alertNear(elt, NO_CONNECTION);
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
const repeated = new WeakSet<Element>();

on(HTMX.beforeOnLoad, (detail, event) => {
  if (detail.xhr.status !== 401) return;
  event.preventDefault();
  if (repeated.has(detail.elt)) signInAgain();
  else void renewAndRepeat(detail);
});

/** Tells our replies from those of a proxy or gateway that answered in our place. */
function isOurs(xhr: XMLHttpRequest): boolean {
  return xhr.getResponseHeader("Content-Security-Policy") !== null;
}

document.addEventListener(HTMX.beforeSwap, (event) => {
  const detail = (event as CustomEvent<RequestDetail & { shouldSwap: boolean }>).detail;
  if (!isOurs(detail.xhr)) {
    detail.shouldSwap = false;
    failed({ ...detail, elt: detail.requestConfig.elt });
    return;
  }
  // An error belongs above the content; while a dialog is open, that is the dialog's.
  const place = dialog?.open ? dialog.querySelector("[data-alerts]") : null;
  if (place && detail.xhr.getResponseHeader("HX-Retarget") === "#alerts") detail.target = place;
});

on(HTMX.beforeRequest, ({ elt, target, requestConfig }) => {
  document.getElementById("alerts")?.replaceChildren();
  // What was said of the change before must not stand beside an error of this one.
  if (requestConfig.verb === "post") document.getElementById("live")?.replaceChildren();
  if (target === dialog && elt instanceof HTMLAnchorElement && !dialog?.open) {
    const row = elt.closest("tr");
    // A check is a table body of its own: from there one goes on where it stands.
    const nextRow = row?.nextElementSibling?.id || row?.parentElement?.id;
    opener = { href: elt.getAttribute("href") ?? "", nextRow };
  }
  setBusy(elt, target, true);
});
on(HTMX.afterRequest, ({ elt, target }) => setBusy(elt, target, false));
on(HTMX.sendError, failed);
on(HTMX.timeout, failed);

function setBusy(elt: Element, target: Element, busy: boolean): void {
  if (target.id === "list") target.setAttribute("aria-busy", String(busy));
  if (!elt.matches("form[method=post]")) return;
  const button = elt.querySelector<HTMLButtonElement>("footer button");
  if (!button) return;
  button.disabled = busy;
  // A disabled button loses the focus; what failed can be sent again from where one was.
  if (!busy && document.activeElement === document.body) button.focus();
}

/** Tells whether an address shows less than a whole list; its pages and `tabs` don't count. */
function isFiltered(query: URLSearchParams, tabs = ""): boolean {
  return [...query].some(
    ([name, value]) => value !== "" && !["page", "after", tabs].includes(name),
  );
}

on(HTMX.afterSwap, ({ target }) => {
  const reset = document.getElementById("reset");
  if (reset) reset.hidden = !isFiltered(new URLSearchParams(location.search), reset.dataset.tabs);
  // A list is also sorted by its headings, which leave the filters as they are.
  const sort = document.querySelector<HTMLSelectElement>("#filters select[name=sort]");
  if (sort) sort.value = new URLSearchParams(location.search).get("sort") ?? "";
  if (target.id === "live") clearMessageLater(target);
  if (target !== dialog) return;
  if (dialog?.querySelector("form, [data-widget]")) open();
  else dialog?.close();
});

on(HTMX.afterSettle, ({ target }) => {
  // The list went with the control that had the focus.
  if (target?.id === "list" && document.activeElement === document.body) focusNearby();
  if (target?.closest("[data-addition]")) previewAll(document);
});

/** Tells whether somebody has filled in a filter since the page came. */
function isFilledIn(filters: HTMLFormElement): boolean {
  return [...filters.elements].some((each) => {
    if (each instanceof HTMLInputElement) return each.value !== each.defaultValue;
    if (!(each instanceof HTMLSelectElement)) return false;
    const options = [...each.options];
    return (
      each.selectedOptions[0] !== (options.find((option) => option.defaultSelected) ?? options[0])
    );
  });
}

htmx.onLoad((root) => {
  const filters = (root as ParentNode).querySelector<HTMLFormElement>("form#filters");
  // On a slow line one types before this script is there.
  if (filters && isFilledIn(filters)) htmx.trigger(filters, "submit");
});

function clearMessageLater(place: Element): void {
  clearLater(place, place.querySelector("a, button") ? MESSAGE_WITH_BUTTON_STAYS : undefined);
}

document.addEventListener(OPERATION_DONE, async (event) => {
  const place = document.getElementById("live");
  if (!place) return;
  await htmx.ajax("get", (event as CustomEvent<Done>).detail.url, {
    target: place,
    swap: "innerHTML",
  });
});

document.addEventListener(HTMX.oobAfterSwap, (event) => {
  const { target } = (event as CustomEvent<{ target: Element }>).detail;
  if (target.id === "live") {
    clearMessageLater(target);
  }
  // Replacing its options makes a select forget what was chosen.
  if (target instanceof HTMLSelectElement) {
    target.value = new URLSearchParams(location.search).get(target.name) ?? "";
  }
  const row = document.getElementById(target.id);
  if (row?.matches("tr,tbody")) setTimeout(() => row.classList.remove("changed"), ROW_STAYS_MARKED);
});

dialog?.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-close]")) {
    event.preventDefault();
    dialog.close();
  }
});
dialog?.addEventListener("close", () => {
  unmountWidgets(dialog);
  dialog.replaceChildren();
  returnFocus();
});

// Apart from the list's own script: most visits have no count to go back to.
const keptCount = document.getElementById("kept-count");
if (keptCount)
  void import("./shared/kept-count").then(({ offerKeptCount }) => offerKeptCount(keptCount));

const ticked = document.querySelector<HTMLFormElement>("form#ticked");
if (ticked)
  void import("./forms/ticks").then(({ watchTicks }) => on(HTMX.afterSwap, watchTicks(ticked)));
