/** A dialog for the reason of something that can't be taken back. */
import { element } from "../../shared/element";

interface Question {
  title: string;
  text: string;
  confirmLabel: string;
}

const MAX_LENGTH = 200;

/** Resolves to the reason that is typed; null where the person goes back. */
export function requestReason({ title, text, confirmLabel }: Question): Promise<string | null> {
  const heading = element("h1", { id: "reason-title" }, title);
  const field = element("textarea", {
    id: "reason",
    required: true,
    maxlength: String(MAX_LENGTH),
    rows: "2",
  });
  const label = element("label", { for: field.id }, "Reason");
  const cancel = element("button", { type: "button", class: "btn" }, "Cancel");
  const confirm = element("button", { class: "btn danger fill" }, confirmLabel);
  const form = element(
    "form",
    { class: "form", method: "dialog" },
    element("p", {}, text),
    element("div", { class: "field" }, label, field),
    element("footer", {}, cancel, confirm),
  );
  const dialog = element(
    "dialog",
    { "aria-labelledby": heading.id },
    element("header", {}, heading),
    form,
  );
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
