/** Offers the draft of a stock check on the stock list of its site. */
import { confirmAction } from "./confirm";
import * as drafts from "./drafts";
import { since } from "./times";

/** Shows when the draft was started, with controls to resume or discard it; nothing without a draft. */
export async function offerSavedCount(container: HTMLElement): Promise<void> {
  const { user, division = "", site = "", resume = "" } = container.dataset;
  const owner = { user: Number(user), division, site, kind: drafts.COUNT };
  const draft = await drafts.load(owner);
  if (!draft) return;
  const text = document.createElement("p");
  text.className = "grow";
  text.textContent = `A stock check started at ${since(draft.since)} is saved in this browser.`;
  const resumeLink = document.createElement("a");
  resumeLink.className = "btn";
  resumeLink.href = resume;
  resumeLink.textContent = "Resume";
  const discardButton = document.createElement("button");
  discardButton.type = "button";
  discardButton.className = "btn danger";
  discardButton.textContent = "Discard";
  discardButton.addEventListener("click", async () => {
    const isConfirmed = await confirmAction({
      title: "Discard the stock check?",
      text: `Everything counted since ${since(draft.since)} will be lost.`,
      confirmLabel: "Discard",
    });
    if (!isConfirmed) return;
    await Promise.all([
      drafts.discard(owner),
      drafts.discard({ ...owner, kind: drafts.COUNT_LIST }),
    ]);
    container.hidden = true;
    document.querySelector<HTMLElement>("#main h1")?.focus();
  });
  container.className = "notice warn row";
  container.replaceChildren(text, resumeLink, discardButton);
  container.hidden = false;
}
