/** The question before a sign-out with unsent work: send it, keep it, or save it as a file. */
import { element } from "../shared/element";
import { KEPT } from "../shared/messages";
import { plural } from "../shared/money";
import type { Entry } from "./entry";
import { saveFile } from "./files";
import { entriesOf, sendNow } from "./index";
import { reasonOf } from "./reasons";

const SAVED = "Saved as a file. Load it where you sign in next, on the page ‘Not sent yet’.";

const button = (label: string, className = "btn"): HTMLButtonElement =>
  element("button", { type: "button", class: className }, label);

/** Shows the question, and sends the form of the sign-out once its person has decided. */
export function confirmSignOut(form: HTMLFormElement, entries: readonly Entry[]): void {
  const count = plural(entries.length, "entry is", "entries are");
  const heading = element("h1", { id: "sign-out-title" }, `${count} not sent yet`);
  const report = element("p", { role: "status" });
  const send = button("Send now", "btn primary");
  const keep = button("Keep for me");
  const save = button("Save as a file");
  const cancel = button("Cancel", "btn quiet");
  const dialog = element(
    "dialog",
    { class: "sign-out", "aria-labelledby": heading.id },
    element("header", {}, heading),
    element(
      "div",
      { class: "form" },
      element("p", {}, `${KEPT} Nobody else can open or send it.`),
      report,
      element("footer", {}, cancel, save, keep, send),
    ),
  );
  const all = [send, keep, save, cancel];

  /** Does something meanwhile nothing else can be chosen; returns what to tell. */
  const act = async (action: () => Promise<string>) => {
    for (const each of all) each.disabled = true;
    report.textContent = "";
    const text = await action().catch((error: unknown) =>
      error instanceof Error ? error.message : "",
    );
    report.textContent = text;
    for (const each of all) each.disabled = false;
  };

  send.addEventListener("click", () =>
    act(async () => {
      report.textContent = "Sending…";
      const status = await sendNow();
      const left = await entriesOf(entries[0]?.user ?? 0);
      const [first] = left;
      if (!first) {
        form.submit();
        return "Sent.";
      }
      const why =
        first.state === "waiting" ? reasonOf(first, left, status) : (first.failure?.message ?? "");
      return `${plural(left.length, "entry is", "entries are")} not sent. ${why}`;
    }),
  );
  save.addEventListener("click", () =>
    act(async () => {
      await saveFile(await entriesOf(entries[0]?.user ?? 0));
      keep.textContent = "Sign out";
      return SAVED;
    }),
  );
  keep.addEventListener("click", () => form.submit());
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  send.focus();
}
