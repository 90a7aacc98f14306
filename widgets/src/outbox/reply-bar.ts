/** The bar on each page with what the server answered to checks that were sent later. */
import { element } from "../shared/element";
import { awaited } from "./announcements";
import type { SentEntry } from "./database";
import { sentText } from "./page/times";
import { isStop, sentencesIn, unseenBy } from "./replied";
import { markSeen } from "./store";

/** The mark in localStorage that something is unseen: other pages look for it (boot.ts). */
const MARK = "outbox-replies";

function mark(hasUnseen: boolean): void {
  try {
    if (hasUnseen) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // It is shown on this page.
  }
}

function paragraphsOf(sent: SentEntry): Node[] {
  const heading = element("p", {}, element("b", {}, sent.title), ` · ${sentText(sent)}`);
  return [heading, ...sentencesIn(sent.reply).map((text) => element("p", {}, text))];
}

/** Fills the bar that `barOf` makes with what a user hasn't seen, or removes it. */
export async function showReplies(
  user: number,
  barOf: (className: string) => HTMLElement | null,
): Promise<void> {
  const all = await unseenBy(user);
  const unseen = all.filter(({ id }) => !awaited.has(id));
  mark(unseen.length > 0);
  const stops = unseen.some(({ reply }) => sentencesIn(reply).some(isStop));
  const bar = barOf(unseen.length === 0 ? "" : stops ? "notice bad row" : "notice row");
  if (!bar) return;
  const close = element("button", { type: "button", class: "btn" }, "OK");
  close.addEventListener("click", () => {
    bar.remove();
    mark(false);
    void markSeen(unseen.map(({ id }) => id)).catch(() => {});
  });
  bar.setAttribute("role", stops ? "alert" : "status");
  bar.replaceChildren(element("div", { class: "grow" }, ...unseen.flatMap(paragraphsOf)), close);
}
