/**
 * What every page says of unsent work, loaded where there is some: the link in the header, a bar for
 * what has waited long, what others have here, the number on the app's icon, and the question before
 * a sign-out.
 */
import { element } from "../shared/element";
import { plural } from "../shared/money";
import { subscribe } from "./announcements";
import { showBadge } from "./background";
import type { Entry } from "./entry";
import { keptText, readHint, unsentOf, unsentText, writeHint } from "./hint";
import { showLink } from "./link";
import { showReplies } from "./reply-bar";
import * as store from "./store";
import { watchLine } from "./triggers";

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = "/outbox";
const SIGN_OUT = "/logout";
/** What others have here, as the person has seen it in this tab. */
const SEEN = "outbox-seen";

let isWatching = false;

/** Returns the bar with this id above the content, new or as it was. */
function barOf(id: string, className: string): HTMLElement {
  const bar = document.getElementById(id) ?? document.createElement("div");
  bar.id = id;
  bar.className = className;
  if (!bar.isConnected) document.getElementById("main")?.prepend(bar);
  return bar;
}

/** Returns what waits for the person, or has waited too long, such as '2 entries need your decision.'. */
function textAbout(entries: readonly Entry[]): string {
  const refused = entries.filter(({ state }) => state !== "waiting").length;
  if (refused > 0) {
    return `${plural(refused, "entry needs", "entries need")} your decision.`;
  }
  const late = entries.filter(({ madeAt }) => Date.now() - madeAt > DAY_MS).length;
  return late > 0 ? `${plural(late, "entry has", "entries have")} waited for more than a day.` : "";
}

function showStuck(entries: readonly Entry[]): void {
  const text = textAbout(entries);
  if (text === "" || location.pathname === PAGE) {
    document.getElementById("unsent-late")?.remove();
    return;
  }
  const bar = barOf("unsent-late", "notice bad");
  bar.setAttribute("role", "alert");
  bar.replaceChildren(`${text} `, element("a", { href: PAGE }, "See why"));
}

function isSeen(text: string): boolean {
  try {
    return sessionStorage.getItem(SEEN) === text;
  } catch {
    return false;
  }
}

function markSeen(text: string): void {
  try {
    sessionStorage.setItem(SEEN, text);
  } catch {
    // It is shown again on the next page.
  }
}

function showOthers(texts: readonly string[]): void {
  const text = texts.join(" ");
  if (text === "" || location.pathname === PAGE || isSeen(text)) {
    document.getElementById("unsent-others")?.remove();
    return;
  }
  const bar = barOf("unsent-others", "notice row");
  const paragraph = element("p", { class: "grow" }, text);
  const close = element("button", { type: "button", class: "btn" }, "OK");
  close.addEventListener("click", () => {
    markSeen(text);
    bar.remove();
  });
  bar.replaceChildren(paragraph, close);
}

/** Returns the bar with replies; null, and none on the page, without any and where they are listed. */
function replyBar(className: string): HTMLElement | null {
  if (className && location.pathname !== PAGE) return barOf("unsent-replies", className);
  document.getElementById("unsent-replies")?.remove();
  return null;
}

/** Shows what the database has, and corrects the note from which pages begin. */
async function refresh(): Promise<void> {
  const entries = await store.all();
  const unsent = unsentOf(entries);
  const user = Number(document.body.dataset.user);
  const own = entries.filter((entry) => entry.user === user);
  showLink(unsent);
  writeHint(unsent);
  const others = unsent.filter((each) => each.user !== user);
  showOthers(
    others.map(({ username, count }) => `${unsentText(username, count)} ${keptText(username)}`),
  );
  // Above what others have.
  showStuck(own);
  await showReplies(user, replyBar);
  void showBadge(own.length);
}

const refreshQuietly = (): void => {
  // Without the database, the note is all there is.
  refresh().catch(() => {});
};

async function confirmOrSignOut(form: HTMLFormElement): Promise<void> {
  const own = await store.entriesOf(Number(document.body.dataset.user));
  if (own.length === 0) return form.submit();
  const { confirmSignOut } = await import("./sign-out");
  confirmSignOut(form, own);
}

/** Asks before a sign-out what becomes of unsent work. */
function watchSignOut(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.getAttribute("action") !== SIGN_OUT) return;
    if (event.defaultPrevented) return;
    event.preventDefault();
    // Without the database or the script of the question, nothing stands in the way.
    confirmOrSignOut(form).catch(() => form.submit());
  });
}

/** Shows unsent work from now on, and sends it. */
export function watchUnsent(): void {
  // At once as it is noted, then as the database has it.
  showLink(readHint());
  if (!isWatching) {
    isWatching = true;
    // What was sent is announced as a change, too.
    subscribe(({ type }) => {
      if (type === "changed") refreshQuietly();
    });
    watchSignOut();
    watchLine();
  }
  refreshQuietly();
}
