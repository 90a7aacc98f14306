/** The keys of pages: they lead to screens and rows, and rest wherever somebody types. */

/** How long a letter may follow g. */
const WAITS_MS = 2_000;

/** What is pressed in these is theirs. */
const OWN_KEYS = "input, select, textarea, [contenteditable], [popover], dialog";

const SHORTCUTS = "/shortcuts";

const FRAME = `<header><h1 class="grow" id="keys-title">Keyboard</h1>
  <form method="dialog"><button class="btn quiet">Close</button></form></header>
  <div class="form"></div>`;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

let keysOf: Promise<Element> | undefined;

/** Reads the keys of the chosen division, once: the header is lighter without them. */
function readKeys(): Promise<Element> {
  keysOf ??= fetch(SHORTCUTS)
    .then((reply) => reply.text())
    .then((text) => {
      const keys = new DOMParser().parseFromString(text, "text/html").getElementById("keys");
      if (!keys) throw new Error("Signed out");
      return keys;
    });
  keysOf.catch(() => {
    keysOf = undefined;
  });
  return keysOf;
}

async function showKeys(): Promise<void> {
  const keys = await readKeys().catch(() => null);
  if (!keys) {
    if (navigator.onLine) location.assign(SHORTCUTS);
    return;
  }
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "keys-title");
  dialog.innerHTML = FRAME;
  dialog.lastElementChild?.append(document.importNode(keys, true));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function goTo(letter: string): Promise<void> {
  const keys = await readKeys().catch(() => null);
  const address = keys?.querySelector(`[data-go="${letter}"]`)?.getAttribute("href");
  if (address) location.assign(address);
}

/** Returns what a row opens, of the rows that are there to see. */
function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll("#main tbody tr")].flatMap((row) => {
    const link = row.querySelector<HTMLElement>("th a, summary") ?? row.querySelector("a");
    return link?.getClientRects().length ? [link] : [];
  });
}

function focusRow(step: number): boolean {
  const links = rowLinks();
  const current = document.activeElement?.closest("tr");
  const at = current ? links.findIndex((link) => current.contains(link)) : -1;
  const next = links[at < 0 ? 0 : at + step];
  next?.focus();
  return next !== undefined;
}

function leaveRow(): boolean {
  const { activeElement } = document;
  const isInRow = activeElement instanceof HTMLElement && activeElement.closest("tr") !== null;
  if (isInRow) activeElement.blur();
  return isInRow;
}

/** Presses what a page offers; returns whether it offers that. */
function press(selector: string, how: "click" | "focus"): boolean {
  const control = find(selector);
  control?.[how]();
  return control !== null;
}

let goesUntil = 0;

const actions: Record<string, () => boolean> = {
  "/": () => press("#find", "focus") || press("#q", "focus"),
  "?": () => {
    void showKeys();
    return true;
  },
  n: () => press(".head > a.primary[href]", "click"),
  j: () => focusRow(1),
  k: () => focusRow(-1),
  Escape: leaveRow,
};

/** Does what a key stands for; returns whether it stands for something here. */
function obey(key: string, at: number): boolean {
  const goes = at < goesUntil;
  goesUntil = 0;
  if (goes && /^[a-z]$/.test(key)) {
    void goTo(key);
    return true;
  }
  if (key === "g") {
    goesUntil = at + WAITS_MS;
    void readKeys();
    return true;
  }
  return actions[key]?.() ?? false;
}

document.addEventListener(
  "keydown",
  (event) => {
    const { key, target, timeStamp } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (target instanceof Element && target.closest(OWN_KEYS)) return;
    if (find("dialog[open]") || !obey(key, timeStamp)) return;
    event.preventDefault();
    // The letter after g isn't also a key of the page, such as those of the review queue.
    event.stopPropagation();
  },
  true,
);

export {};
