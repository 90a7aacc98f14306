/**
 * The ticks of a list: they stay while it is paged, sorted and filtered, until they are used. With
 * Shift a tick extends to the one before; one tick stands for all rows that match, on all pages,
 * as long as these match.
 */

/** The numbers that one tick for all that match added, and the address that returned them. */
interface Matched {
  url: string;
  numbers: string[];
}

/** What is stored for a person while the browser's tab is open. */
interface Ticks {
  ticked: string[];
  matched: Matched;
}

const NONE: Matched = { url: "", numbers: [] };

/** The event that clears all ticks; the server sends it. */
const DONE = "ticked-moved";

// Without imports: a chunk shared with other scripts would cost every page a request.
const grouped = new Intl.NumberFormat("en-GB");

/** Stores the ticks of a form; returns a function that renders them after the list has changed. */
export function watchTicks(form: HTMLFormElement): () => void {
  const storageKey = `ticked:${form.dataset.user}`;
  const max = Number(form.dataset.most);
  const all = form.querySelector<HTMLElement>("[data-all]") as HTMLElement;
  const allBox = all.querySelector("input") as HTMLInputElement;
  const message = form.querySelector("[data-message]") as HTMLElement;
  const clear = form.querySelector("[data-clear]") as HTMLButtonElement;
  const move = form.querySelector("[data-move]") as HTMLButtonElement;
  const elsewhere = form.appendChild(document.createElement("div"));
  elsewhere.hidden = true;
  const stored = read(storageKey);
  const ticked = new Set<string>(stored.ticked);
  /** What was ticked by one tick for all that match, until the list has other filters. */
  let matched: Matched = stored.matched;
  /** The numbers of all rows that match, by the address that returned them. */
  const matching = new Map<string, string[]>();
  let last: HTMLInputElement | null = null;
  let isRange = false;

  const boxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(
      `input[type=checkbox][form="${form.id}"]:not([data-url])`,
    ),
  ];

  const matchingBox = () => document.querySelector<HTMLInputElement>("input[data-url]");

  function renderMatching(): void {
    const moveAll = document.querySelector<HTMLElement>("[data-move-all]");
    if (moveAll) moveAll.hidden = ticked.size > 0;
    const box = matchingBox();
    if (!box) return;
    // The numbers are sent, so that what moves is what was ticked.
    box.removeAttribute("name");
    const numbers = matching.get(box.dataset.url ?? "");
    box.checked = numbers?.length ? numbers.every((number) => ticked.has(number)) : false;
  }

  async function tickMatching(box: HTMLInputElement): Promise<void> {
    const url = box.dataset.url ?? "";
    const isTicked = box.checked;
    box.disabled = true;
    try {
      const numbers = matching.get(url) ?? (await load(url));
      matching.set(url, numbers);
      const untouched = numbers.filter((number) => !ticked.has(number));
      matched = isTicked ? { url, numbers: untouched } : NONE;
      for (const number of numbers) {
        if (isTicked) ticked.add(number);
        else ticked.delete(number);
      }
      render();
    } catch {
      render();
      form.hidden = false;
      message.textContent = "Failed to load assets. Try again.";
    }
    box.disabled = false;
    box.focus();
  }

  /** Takes back the tick for all that match, once other rows match: these would move unseen. */
  function dropFormerMatches(): void {
    if (matched.numbers.length === 0 || matched.url === matchingBox()?.dataset.url) return;
    for (const number of matched.numbers) ticked.delete(number);
    matched = NONE;
  }

  function render(): void {
    const here = boxes();
    dropFormerMatches();
    renderMatching();
    for (const box of here) box.checked = ticked.has(box.value);
    const onPage = new Set(here.map((box) => box.value));
    const others = [...ticked].filter((number) => !onPage.has(number));
    elsewhere.replaceChildren(...others.map((number) => hidden(here[0]?.name ?? "asset", number)));
    const checked = here.filter((box) => box.checked).length;
    all.hidden = here.length === 0;
    allBox.checked = here.length > 0 && checked === here.length;
    allBox.indeterminate = checked > 0 && !allBox.checked;
    clear.hidden = ticked.size === 0;
    move.disabled = ticked.size === 0 || ticked.size > max;
    move.textContent =
      ticked.size === 0
        ? "Move ticked"
        : `Move ${grouped.format(ticked.size)} ${ticked.size === 1 ? "asset" : "assets"}`;
    message.textContent = countText(ticked.size, others.length, max);
    form.hidden = ticked.size === 0 && (here.length === 0 || matchingBox() !== null);
    write(storageKey, { ticked: [...ticked], matched });
  }

  function tick(box: HTMLInputElement, isTicked: boolean): void {
    if (isTicked) ticked.add(box.value);
    else ticked.delete(box.value);
  }

  /** Ticks a row, with Shift also those between it and the one before. */
  function tickRange(to: HTMLInputElement): void {
    const here = boxes();
    const from = isRange && last ? here.indexOf(last) : -1;
    const ends = [from < 0 ? here.indexOf(to) : from, here.indexOf(to)].sort((a, b) => a - b);
    for (const box of here.slice(ends[0], (ends[1] ?? 0) + 1)) tick(box, to.checked);
    last = to;
  }

  function clearAll(): void {
    ticked.clear();
    matched = NONE;
    render();
  }

  document.addEventListener("click", (event) => {
    isRange = event.shiftKey;
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target === matchingBox()) {
      void tickMatching(target);
      return;
    }
    if (target === allBox) for (const box of boxes()) tick(box, allBox.checked);
    else if (boxes().includes(target)) tickRange(target);
    else return;
    render();
  });
  clear.addEventListener("click", () => {
    clearAll();
    (matchingBox() ?? allBox).focus();
  });
  document.addEventListener(DONE, clearAll);
  render();
  return render;
}

async function load(url: string): Promise<string[]> {
  const reply = await fetch(url, { headers: { Accept: "application/json" } });
  if (!reply.ok) throw new Error(`Status ${reply.status}`);
  const { numbers } = (await reply.json()) as { numbers: number[] };
  return numbers.map(String);
}

function countText(all: number, elsewhere: number, max: number): string {
  if (all === 0) return "";
  const many = `${grouped.format(all)} ticked`;
  if (all > max) return `${many}, at most ${grouped.format(max)} at once`;
  return elsewhere === 0 ? many : `${many}, ${grouped.format(elsewhere)} not on this page`;
}

function hidden(name: string, value: string): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  return input;
}

function read(name: string): Ticks {
  const none = { ticked: [], matched: NONE };
  try {
    const found = JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<Ticks>;
    return { ...none, ...found };
  } catch {
    return none;
  }
}

function write(name: string, ticks: Ticks): void {
  try {
    if (ticks.ticked.length) sessionStorage.setItem(name, JSON.stringify(ticks));
    else sessionStorage.removeItem(name);
  } catch {
    // Without storage, the ticks last only as long as the page.
  }
}
