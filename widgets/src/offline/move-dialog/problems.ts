/** What is wrong in the dialog, as the server says it (app/stock/forms.py). */
import { clearError } from "../../forms/field-errors";
import { problemOf } from "../../forms/limits";
import { element } from "../../shared/element";

/** The errors of fields, by name. */
export type Problems = Partial<Record<string, string>>;

const inputOf = (form: HTMLFormElement, name: string): HTMLInputElement | null =>
  form.querySelector(`input[name="${name}"]`);

const chosenIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? "").trim();

/** Returns the message for less than one. */
const lowOf = (form: HTMLFormElement): string => inputOf(form, "quantity")?.dataset.low ?? "";

function wrongIn(form: HTMLFormElement, name: "team" | "quantity" | "date"): string {
  const input = inputOf(form, name);
  return input ? problemOf(input) : "";
}

/** The messages for what is left empty. */
const MISSING = {
  team: "Team is required",
  destination: "Choose a destination site.",
  date: "Please pick a date.",
};

/** Returns the problems of a form in the order in which the server lists them. */
export function problemsOf(form: HTMLFormElement): Problems {
  const isTransfer = chosenIn(form, "action") === "transfer";
  const lacks = (name: string) => chosenIn(form, name) === "";
  const lacksTeam = !isTransfer && lacks("team") && lacks("recent_team");
  const found: [name: string, problem: string][] = [
    ["team", wrongIn(form, "team") || (lacksTeam ? MISSING.team : "")],
    ["quantity", wrongIn(form, "quantity") || (lacks("quantity") ? lowOf(form) : "")],
    ["destination", isTransfer && lacks("destination") ? MISSING.destination : ""],
    ["date", wrongIn(form, "date") || (lacks("date") ? MISSING.date : "")],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem));
}

function markField(form: HTMLFormElement, name: string, message: string): boolean {
  const control = form.querySelector<HTMLElement>(`#${name}`);
  if (!control) return false;
  const error = element("p", { class: "error", id: `${name}-error` }, message);
  const note = control.getAttribute("aria-describedby");
  control.setAttribute("aria-describedby", note ? `${note} ${error.id}` : error.id);
  if (control instanceof HTMLFieldSetElement) control.append(error);
  else {
    control.setAttribute("aria-invalid", "true");
    control.closest(".field")?.classList.add("wrong");
    control.before(error);
  }
  return true;
}

/** Removes the marks of problems that were found before. */
function clearProblems(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll(".error")) clearError(error);
  form.querySelector("[data-problems]")?.remove();
}

/** Shows problems at their fields and in a summary, which takes the focus; `otherwise` if there are none. */
export function showProblems(form: HTMLFormElement, problems: Problems, otherwise = ""): void {
  clearProblems(form);
  const lines = Object.entries(problems).map(([name, message = ""]) =>
    element("li", {}, markField(form, name, message) ? linkTo(name, message) : message),
  );
  if (lines.length === 0) lines.push(element("li", {}, otherwise));
  const title = element("h2", {}, "There is a problem");
  const list = element("ul", {}, ...lines);
  const summary = element(
    "div",
    { class: "notice bad", role: "alert", tabindex: "-1" },
    title,
    list,
  );
  summary.dataset.problems = "";
  form.querySelector("[data-alerts]")?.after(summary);
  const quantity = inputOf(form, "quantity");
  const typed = quantity?.value ?? "";
  summary.focus();
  // Where it was left empty, leaving it has entered a one (forms/stock.ts).
  if (quantity) quantity.value = typed;
}

function linkTo(name: string, message: string): HTMLAnchorElement {
  const link = element("a", { href: `#${name}` }, message);
  // The address stays that of the page, which a shell reads.
  link.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById(name)?.focus();
  });
  return link;
}
