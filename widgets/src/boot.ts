/** The script of every page: improves plain forms, which work without it too. */
import { watchFieldErrors } from "./forms/field-errors";
import { PAGE_REPLACED, watchPageForms } from "./forms/page-form";
import { addShowButton, requireAllFields } from "./forms/sign-in";
import { previewAll, watchStockForms } from "./forms/stock";
import { storeOrganisation } from "./shared/org";

/** Improves what is on the page; it is replaced when the reply to a form is a page. */
function improve(): void {
  document.querySelectorAll<HTMLFormElement>("form[data-fill-both]").forEach(requireAllFields);
  document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(addShowButton);
  document.querySelectorAll<HTMLButtonElement>("button[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => print());
  });
  previewAll(document);
  showUnsent();
  loadFind();
  // Loaded on demand: most pages have none, and the sign-in must stay small.
  if (document.querySelector("[data-widget]"))
    void import("./shared/mount").then((mount) => mount.mountWidgets(document));

  const problems = document.querySelector<HTMLElement>("[data-problems]");
  problems?.focus();

  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;

  const redirect = document.querySelector<HTMLElement>("[data-go-to]");
  if (redirect)
    setTimeout(() => location.assign(redirect.dataset.goTo ?? "/"), Number(redirect.dataset.after));
}

/** Loads what shows results below the search box, once somebody goes there. */
function loadFind(): void {
  const form = document.querySelector<HTMLFormElement>(".find");
  form?.addEventListener(
    "focusin",
    // Without it the form works as it is; the next visit tries again.
    () => import(form.dataset.find ?? "").then((find) => find.watchFind(form)).catch(loadFind),
    { once: true },
  );
}

/** Loads what shows unsent work and unseen replies, if some are noted here: most pages have none. */
function showUnsent(): void {
  const script = document.getElementById("unsent")?.dataset.src;
  if (script && (has(() => localStorage, "outbox") || has(() => localStorage, "outbox-replies")))
    void import(script).then((header: { watchUnsent(): void }) => header.watchUnsent());
}

/** Returns whether something is stored under a name; `storage` throws in some browsers. */
function has(storage: () => Storage, name: string): boolean {
  try {
    return storage().getItem(name) !== null;
  } catch {
    return false;
  }
}

/** Loads a script once the page can be used: what the person waits for goes first on a slow line. */
function loadLater(address: string): void {
  addEventListener("load", () => {
    // The next page tries again.
    import(address).catch(() => {});
  });
}

storeOrganisation();
improve();
// Loaded on demand: it is needed only after the session has ended.
if (has(() => sessionStorage, "unsent-form"))
  void import("./forms/unsent").then((unsent) => unsent.restoreUnsent());
// Before the previews, which say that nothing is ready beside an error.
watchFieldErrors();
watchStockForms();
watchPageForms();
document.addEventListener(PAGE_REPLACED, improve);
for (const type of ["outbox-noted", "storage"]) addEventListener(type, showUnsent);
const { later, keys } = document.body.dataset;
if (later) loadLater(later);
// Who only touches has no keys.
if (keys && navigator.onLine && matchMedia("(hover: hover)").matches) loadLater(keys);
const forgets = document.querySelector<HTMLElement>("[data-forget]")?.dataset.forget;
if (forgets && has(() => localStorage, "offline-person")) void import(forgets);
