/** The errors of fields: a field that is changed is no longer marked as wrong. */

/** Removes the error of a control, and what the summary of problems says about it. */
export function clearError(control: Element): void {
  const field = control.closest(".field.wrong, fieldset[aria-describedby]");
  const error = field?.querySelector(".error");
  if (!field || !error) return;
  field.classList.remove("wrong");
  for (const each of field.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
  for (const each of [field, ...field.querySelectorAll("[aria-describedby]")]) {
    const ids = (each.getAttribute("aria-describedby") ?? "").split(" ");
    const others = ids.filter((id) => id !== error.id).join(" ");
    if (others) each.setAttribute("aria-describedby", others);
    else each.removeAttribute("aria-describedby");
  }
  error.remove();
  removeProblem(error.id.replace(/-error$/, ""));
}

/** Removes the link to a control from the summary, and the summary with its last problem. */
function removeProblem(id: string): void {
  const problem = document.querySelector(`[data-problems] a[href="#${CSS.escape(id)}"]`);
  const summary = problem?.closest("[data-problems]");
  problem?.closest("li")?.remove();
  if (!summary || summary.querySelector("li")) return;
  summary.remove();
  document.title = document.title.replace(/^Error: /, "");
}

/** Clears errors while the user corrects them; widgets keep theirs themselves. */
export function watchFieldErrors(): void {
  for (const type of ["input", "change"]) {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof Element && !target.closest("[data-widget]")) clearError(target);
    });
  }
}
