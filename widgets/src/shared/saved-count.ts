/** Tells, on the list of a site, that a stock check is kept in this browser. */
import { ask } from "./ask";
import * as drafts from "./drafts";
import { since } from "./times";

/** Under what a stock check is kept. */
export const COUNT = "stock-count";
/** Under what the list it was begun from is kept. */
export const COUNT_LIST = "stock-count-list";

/** Shows since when a count is kept, with a way back to it, if there is one. */
export async function offerKeptCount(place: HTMLElement): Promise<void> {
  const { user, division = "", site = "", resume = "" } = place.dataset;
  const owner = { user: Number(user), division, site, kind: COUNT };
  const kept = await drafts.load(owner);
  if (!kept) return;
  const said = document.createElement("p");
  said.className = "grow";
  said.textContent = `A stock check from ${since(kept.since)} is kept in this browser.`;
  const go = document.createElement("a");
  go.className = "btn";
  go.href = resume;
  go.textContent = "Resume";
  const drop = document.createElement("button");
  drop.type = "button";
  drop.className = "btn danger";
  drop.textContent = "Discard";
  drop.addEventListener("click", async () => {
    const sure = await ask({
      title: "Discard the stock check?",
      text: `What was counted since ${since(kept.since)} is lost.`,
      yes: "Discard",
    });
    if (!sure) return;
    await Promise.all([drafts.discard(owner), drafts.discard({ ...owner, kind: COUNT_LIST })]);
    place.hidden = true;
    document.querySelector<HTMLElement>("#main h1")?.focus();
  });
  place.className = "notice warn row";
  place.replaceChildren(said, go, drop);
  place.hidden = false;
}
