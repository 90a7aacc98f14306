/** A dialog for the reason of something that can't be taken back. */
import { element } from "../element";

interface Question {
  title: string;
  text: string;
  confirmLabel: string;
}

const MAX_LENGTH = 200;

/** Resolves to the reason that is typed; null where the person goes back. */
export function requestReason({ title, text, confirmLabel }: Question): Promise<string | null> {
  const heading = element("h1", { id: "reason-title", textContent: title });
  const field = element("textarea", {
    id: "reason",
    required: true,
    maxLength: MAX_LENGTH,
    rows: 2,
  });
  const label = element("label", { htmlFor: field.id, textContent: "Reason" });
  const cancel = element("button", { type: "button", className: "btn", textContent: "Cancel" });
  const confirm = element("button", { className: "btn danger fill", textContent: confirmLabel });
  const form = element(
    "form",
    { className: "form", method: "dialog" },
    element("p", { textContent: text }),
    element("div", { className: "field" }, label, field),
    element("footer", {}, cancel, confirm),
  );
  const dialog = element("dialog", {}, element("header", {}, heading), form);
  dialog.setAttribute("aria-labelledby", heading.id);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let reason: string | null = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      reason = field.value.trim();
      dialog.close();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(reason);
    });
    dialog.showModal();
    field.focus();
  });
}
