/** Asks for confirmation in a dialog before data are discarded. */

export interface Question {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel?: string;
}

function createButton(label: string, className: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.textContent = label;
  return button;
}

/**
 * Resolves to whether the user confirms; closing the dialog means no. The way back comes first and
 * has the focus, so that Enter is safe.
 */
export function confirmAction(question: Question): Promise<boolean> {
  const { title, text, confirmLabel, cancelLabel = "Cancel" } = question;
  const dialog = document.createElement("dialog");
  const header = document.createElement("header");
  const heading = document.createElement("h1");
  heading.id = "question";
  heading.textContent = title;
  dialog.setAttribute("aria-labelledby", heading.id);
  header.append(heading);
  const form = document.createElement("div");
  form.className = "form";
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  const footer = document.createElement("footer");
  const cancel = createButton(cancelLabel, "btn");
  const confirm = createButton(confirmLabel, "btn danger fill");
  footer.append(cancel, confirm);
  form.append(paragraph, footer);
  dialog.append(header, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let isConfirmed = false;
    confirm.addEventListener("click", () => {
      isConfirmed = true;
      dialog.close();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isConfirmed);
    });
    dialog.showModal();
    cancel.focus();
  });
}
