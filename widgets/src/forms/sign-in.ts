/** The forms of the sign-in: the button needs all fields, and a password can be made visible. */

function isFilled(input: HTMLInputElement): boolean {
  if (input.value !== "") return true;
  try {
    return input.matches(":autofill");
  } catch {
    return false;
  }
}

/** Disables a form's button until all its required fields are filled. */
export function requireAllFields(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input[required]")];
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  if (!button) return;
  const update = () => {
    button.disabled = form.dataset.sending === "true" || !inputs.every(isFilled);
  };
  for (const event of ["input", "change", "sent-again"]) form.addEventListener(event, update);
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

/** Disables a form's button while the form is being sent. */
export function disableWhileSending(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  form.addEventListener("submit", () => {
    form.dataset.sending = "true";
    if (button) button.disabled = true;
  });
  // The browser's cache may bring the page back as it was left: the form can be sent again.
  addEventListener("pageshow", () => {
    form.dataset.sending = "false";
    if (button) button.disabled = false;
    form.dispatchEvent(new Event("sent-again"));
  });
}
