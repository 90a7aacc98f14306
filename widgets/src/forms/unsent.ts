/** What was typed in a form while the session ended: it is filled in again after the sign-in. */

const ENTRY = "unsent-form";
const MESSAGE =
  "You were signed out before this was sent, and nothing was changed. Check it, then send it again.";

/** A form by the address of its page, and its fields by name in their order. */
interface Unsent {
  path: string;
  user: string;
  fields: [string, string][];
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the fields that a person fills in; passwords and files are never stored. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (field): field is Field =>
      (field instanceof HTMLInputElement &&
        !["hidden", "password", "file", "submit", "button"].includes(field.type)) ||
      field instanceof HTMLSelectElement ||
      field instanceof HTMLTextAreaElement,
  );
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type);

/** Stores a form whose page, or page of its own, has this address. */
export function storeUnsent(form: HTMLFormElement, path: string): void {
  const filled = fieldsOf(form).filter((field) => !isChoice(field) || field.checked);
  const fields = filled.map(({ name, value }): [string, string] => [name, value]);
  const unsent: Unsent = { path, user: document.body.dataset.user ?? "", fields };
  try {
    sessionStorage.setItem(ENTRY, JSON.stringify(unsent));
  } catch {
    // Without storage the form is empty after the sign-in.
  }
}

function takeUnsent(): Unsent | null {
  const text = sessionStorage.getItem(ENTRY);
  if (text === null) return null;
  const unsent = JSON.parse(text) as Unsent;
  const { user } = document.body.dataset;
  // The sign-in and the choice of a division come before the form's own page.
  if (!user || (user === unsent.user && unsent.path !== location.pathname + location.search))
    return null;
  sessionStorage.removeItem(ENTRY);
  return user === unsent.user ? unsent : null;
}

function fill(form: HTMLFormElement, fields: [string, string][]): void {
  const values = new Map<string, string[]>();
  for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);
  for (const field of fieldsOf(form)) {
    const stored = values.get(field.name);
    if (isChoice(field)) field.checked = stored?.includes(field.value) ?? false;
    else field.value = stored?.shift() ?? field.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Fills the page's form with what was stored for it, if the same person signed in. */
export function restoreUnsent(): void {
  const form = document.querySelector<HTMLFormElement>("main form[method=post][data-failure]");
  const unsent = form && takeUnsent();
  if (!form || !unsent) return;
  fill(form, unsent.fields);
  const message = document.createElement("p");
  message.className = "notice warn";
  message.setAttribute("role", "alert");
  message.textContent = MESSAGE;
  form.querySelector("[data-alerts]")?.replaceChildren(message);
  if (!message.isConnected) form.prepend(message);
}
