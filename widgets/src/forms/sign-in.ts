/** The sign-in form: its button waits for both fields, its password can be shown. */

function isFilled(input: HTMLInputElement): boolean {
  if (input.value !== "") return true;
  try {
    return input.matches(":autofill");
  } catch {
    return false;
  }
}

/** Keeps a form's button disabled until all its required fields are filled. */
export function waitForBoth(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input[required]")];
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  if (!button) return;
  const update = () => {
    button.disabled = form.dataset.sending === "true" || !inputs.every(isFilled);
  };
  for (const event of ["input", "change", "sent-again"]) form.addEventListener(event, update);
  // Browsers fill remembered passwords in without an event.
  for (const delay of [0, 300, 1000]) setTimeout(update, delay);
  update();
}

/** Lets a button show and hide the password in the field that it names. */
export function offerToShow(button: HTMLButtonElement): void {
  const input = document.getElementById(button.dataset.show ?? "");
  if (!(input instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = input.type === "text";
    input.type = shown ? "password" : "text";
    button.textContent = shown ? "Show password" : "Hide password";
    button.setAttribute("aria-pressed", String(!shown));
  });
}

/** Disables a form's button while the form is on its way. */
export function sendOnce(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  form.addEventListener("submit", () => {
    form.dataset.sending = "true";
    if (button) button.disabled = true;
  });
  // Coming back to a kept page shows it as it was left: ready to be sent again.
  addEventListener("pageshow", () => {
    form.dataset.sending = "false";
    if (button) button.disabled = false;
    form.dispatchEvent(new Event("sent-again"));
  });
}
