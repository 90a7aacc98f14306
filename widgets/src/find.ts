/** The search box in the header: what it finds shows below it while somebody types. */
import { endsAfter } from "./shared/requests";
import { renewSession } from "./shared/session";

const PAUSE_MS = 200;
const MIN_LENGTH = 2;
const FAILURE = "The search got no reply. Press Enter to try again.";

/** Reads the results of a text as HTML; a session that has run out is renewed once. */
async function read(address: string, isAgain = false): Promise<string> {
  const reply = await fetch(address, { headers: { "HX-Request": "true" }, signal: endsAfter(20) });
  if (reply.status === 401 && !isAgain && (await renewSession()) === "renewed") {
    return read(address, true);
  }
  if (!reply.ok || !reply.headers.has("Content-Security-Policy")) throw new Error(FAILURE);
  return reply.text();
}

/** Keeps the styles of results once they are loaded: each reply names them. */
async function style(link: HTMLLinkElement | null): Promise<void> {
  link?.remove();
  if (!link || document.head.querySelector(`[href="${link.getAttribute("href")}"]`)) return;
  const loaded = new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
  document.head.append(link);
  await loaded;
}

/** Shows the results of a search form: links, between which the arrows move. */
export function watchFind(form: HTMLFormElement): void {
  const input = form.elements.namedItem("q") as HTMLInputElement;
  const found = document.createElement("div");
  // A browser without popovers opens the page of results.
  if (!found.showPopover) return;
  found.className = "pop found hits";
  found.popover = "manual";
  const status = document.createElement("p");
  status.className = "sr";
  status.role = "status";
  form.append(found, status);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = "";

  const close = () => {
    clearTimeout(timer);
    latest = status.textContent = "";
    if (found.matches(":popover-open")) found.hidePopover();
  };
  const show = async (text: string, html: string) => {
    found.innerHTML = html;
    await style(found.querySelector("link"));
    if (text !== latest) return;
    const { length } = found.querySelectorAll("li");
    const count = length === 1 ? "1 result" : `${length} results`;
    status.textContent = length ? `${count}. Use the arrow keys.` : found.textContent;
    if (!found.matches(":popover-open")) found.showPopover();
  };
  const search = async () => {
    const text = input.value.trim();
    if (text.length < MIN_LENGTH) return close();
    if (text === latest) return;
    latest = text;
    const html = await read(`${form.action}?${new URLSearchParams({ q: text })}`).catch(
      () => `<p class="note">${FAILURE}</p>`,
    );
    // A reply that was overtaken is of no use.
    if (text === latest) show(text, html);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  };
  const move = (step: number) => {
    const places = [input, ...found.querySelectorAll<HTMLElement>("li a")];
    const next = places.indexOf(document.activeElement as HTMLInputElement) + step;
    places[Math.min(Math.max(next, 0), places.length - 1)]?.focus();
  };

  input.addEventListener("input", later);
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isOpen = found.matches(":popover-open");
    if (!(step || (isOpen && event.key === "Escape"))) return;
    // Else the box would lose what was typed.
    event.preventDefault();
    if (step) return isOpen ? move(step) : search();
    input.focus();
    close();
  });
  for (const type of ["pointerdown", "focusin"]) {
    document.addEventListener(type, ({ target }) => {
      if (!form.contains(target as Node)) close();
    });
  }
  // What was typed while this was loaded.
  if (input.value !== input.defaultValue) later();
}
