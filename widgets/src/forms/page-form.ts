/**
 * Forms that are pages of their own: they are sent without leaving the page, so that nothing typed
 * is lost when there is no reply. The reply is the page that a browser without scripts would show.
 */
import { alertNear, clearAlerts, isOurs, noReplyMessage } from "../shared/failures";
import { endsAfter } from "../shared/requests";

/** Dispatched on a form when it can be sent again. */
export const USABLE_AGAIN = "usable-again";
/** Dispatched on the document when a reply has replaced the page. */
export const PAGE_REPLACED = "page-replaced";

/** Returns where a form is sent; `form.action` would be a field of that name. */
function addressOf(form: HTMLFormElement): string {
  return new URL(form.getAttribute("action") ?? "", location.href).href;
}

/** Returns whether the page is about this form: it names its failure and is sent to its own page. */
function isPageForm(form: HTMLFormElement): boolean {
  const here = location.href.split("#")[0];
  return form.dataset.failure !== undefined && addressOf(form).split("#")[0] === here;
}

/** Returns what a browser would send, with the button that was pressed. */
function bodyOf(form: HTMLFormElement, submitter: HTMLElement | null): FormData | URLSearchParams {
  const data = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) {
    data.append(submitter.name, submitter.value);
  }
  if (form.enctype === "multipart/form-data") return data;
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
}

/** Disables the buttons of a form; returns a function that makes it usable again. */
function disable(form: HTMLFormElement): () => void {
  const focused = document.activeElement;
  const buttons = [...form.querySelectorAll("button")].filter(
    (button) => button.type === "submit" && !button.disabled,
  );
  form.dataset.sending = "true";
  for (const button of buttons) button.disabled = true;
  return () => {
    delete form.dataset.sending;
    for (const button of buttons) button.disabled = false;
    form.dispatchEvent(new Event(USABLE_AGAIN));
    // A disabled button loses the focus: give it back, so that the form can be sent again.
    if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
  };
}

/** Replaces the page by another one, which its own address has replied with. */
function replacePage(page: Document): void {
  document.title = page.title;
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
  for (const { name, value } of page.body.attributes) document.body.setAttribute(name, value);
  document.body.replaceChildren(...page.body.childNodes);
  scrollTo(0, 0);
  document.dispatchEvent(new Event(PAGE_REPLACED));
}

function showReply(form: HTMLFormElement, html: string): void {
  const page = new DOMParser().parseFromString(html, "text/html");
  const error = page.querySelector("[data-error] [role=alert]");
  if (error) alertNear(form, error.textContent?.trim() ?? "");
  else replacePage(page);
}

/** Returns whether an address is that of the sign-in, from another page. */
function isSignIn(address: string): boolean {
  const { pathname } = new URL(address, location.href);
  return pathname === "/login" && location.pathname !== pathname;
}

/** Sends a form; returns whether the browser is on its way to another page. */
async function send(form: HTMLFormElement, body: BodyInit): Promise<boolean> {
  const reply = await fetch(addressOf(form), {
    method: "POST",
    body,
    headers: { Accept: "text/html", "X-Page-Form": "true" },
    signal: endsAfter(20),
  });
  if (!isOurs((header) => reply.headers.get(header))) throw new TypeError("A proxy's reply");
  const next = reply.headers.get("X-Redirect");
  if (next === null) showReply(form, await reply.text());
  else {
    if (isSignIn(next)) {
      const { storeUnsent } = await import("./unsent");
      storeUnsent(form, location.pathname + location.search);
    }
    location.assign(next);
  }
  return next !== null;
}

async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const body = bodyOf(form, submitter);
  const makeUsable = disable(form);
  // The browser's cache may bring the page back as it was left.
  addEventListener("pageshow", makeUsable, { once: true });
  clearAlerts(form);
  try {
    if (await send(form, body)) return;
  } catch {
    const isKeyed = form.elements.namedItem("key") !== null;
    alertNear(form, noReplyMessage(form.dataset.failure ?? "", isKeyed));
  }
  makeUsable();
}

/** Sends the forms that are pages of their own; what htmx or a widget has sent is left alone. */
export function watchPageForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.getAttribute("method") !== "post" || !isPageForm(form)) return;
    event.preventDefault();
    if (!form.dataset.sending) void submit(form, event.submitter);
  });
}
