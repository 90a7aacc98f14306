/** Asks in a dialog before something is lost; the safe answer comes first and takes Enter. */

export interface Question {
  title: string;
  text: string;
  /** What the button that goes ahead says. */
  yes: string;
}

function button(label: string, classes: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = classes;
  made.textContent = label;
  return made;
}

/** Resolves to whether the person wants to go ahead; closing the dialog means no. */
export function ask({ title, text, yes }: Question): Promise<boolean> {
  const dialog = document.createElement("dialog");
  const header = document.createElement("header");
  const heading = document.createElement("h1");
  heading.id = "question";
  heading.textContent = title;
  dialog.setAttribute("aria-labelledby", heading.id);
  header.append(heading);
  const form = document.createElement("div");
  form.className = "form";
  const said = document.createElement("p");
  said.textContent = text;
  const footer = document.createElement("footer");
  const no = button("Cancel", "btn");
  const go = button(yes, "btn danger fill");
  footer.append(no, go);
  form.append(said, footer);
  dialog.append(header, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let answer = false;
    go.addEventListener("click", () => {
      answer = true;
      dialog.close();
    });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    dialog.showModal();
    no.focus();
  });
}
