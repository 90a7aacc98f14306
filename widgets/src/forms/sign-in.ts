/** The forms of the sign-in: the button needs all fields, and a password can be made visible. */
import { USABLE_AGAIN } from "./page-form";

function isFilled(input: HTMLInputElement): boolean {
  if (input.value !== "") return true;
  try {
    return input.matches(":autofill");
  } catch {
    return false;
  }
}

/** Fetches what the page behind the sign-in needs while the form is sent: on a slow line both take long. */
function fetchAhead(form: HTMLFormElement): void {
  for (const address of form.dataset.ahead?.split(" ") ?? [])
    fetch(address, { priority: "low" }).catch(() => {});
}

/** Disables a form's button until all its required fields are filled. */
export function requireAllFields(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input[required]")];
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  if (!button) return;
  const update = () => {
    button.disabled = form.dataset.sending !== undefined || !inputs.every(isFilled);
  };
  for (const event of ["input", "change", USABLE_AGAIN]) form.addEventListener(event, update);
  form.addEventListener("submit", () => fetchAhead(form), { once: true });
  // Browsers fill in saved passwords without an event.
  for (const delay of [0, 300, 1000]) setTimeout(update, delay);
  update();
}

/** Shows a button that makes the password in its field visible, and hides it again. */
export function addShowButton(button: HTMLButtonElement): void {
  const input = document.getElementById(button.dataset.show ?? "");
  if (!(input instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isVisible = input.type === "text";
    input.type = isVisible ? "password" : "text";
    button.textContent = isVisible ? "Show password" : "Hide password";
    button.setAttribute("aria-pressed", String(!isVisible));
  });
}
