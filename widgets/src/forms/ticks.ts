/** The ticks of a list: they stay while it is paged, sorted and filtered, until what they are for is done. */

/** The event on which all ticks are taken off; the server sends it. */
const DONE = "ticked-moved";

// Imports nothing: a chunk that it shared with the other scripts would cost every page a request.
const grouped = new Intl.NumberFormat("en-GB");

/** Keeps the ticks that belong to a form; returns what shows them once the list is another one. */
export function watchTicks(form: HTMLFormElement): () => void {
  const kept = `ticks:${form.dataset.user}`;
  const most = Number(form.dataset.most);
  const all = form.querySelector<HTMLElement>("[data-all]") as HTMLElement;
  const every = all.querySelector("input") as HTMLInputElement;
  const said = form.querySelector("[data-said]") as HTMLElement;
  const clear = form.querySelector("[data-clear]") as HTMLButtonElement;
  const move = form.querySelector("[data-move]") as HTMLButtonElement;
  const elsewhere = form.appendChild(document.createElement("div"));
  elsewhere.hidden = true;
  const ticked = new Set<string>(read(kept));

  const boxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][form="${form.id}"]`),
  ];

  function show(): void {
    const here = boxes();
    for (const box of here) box.checked = ticked.has(box.value);
    const shown = new Set(here.map((box) => box.value));
    const others = [...ticked].filter((number) => !shown.has(number));
    elsewhere.replaceChildren(...others.map((number) => hidden(here[0]?.name ?? "asset", number)));
    const checked = here.filter((box) => box.checked).length;
    all.hidden = here.length === 0;
    every.checked = here.length > 0 && checked === here.length;
    every.indeterminate = checked > 0 && !every.checked;
    clear.hidden = ticked.size === 0;
    move.disabled = ticked.size === 0 || ticked.size > most;
    move.textContent =
      ticked.size === 0
        ? "Move ticked"
        : `Move ${grouped.format(ticked.size)} ${ticked.size === 1 ? "asset" : "assets"}`;
    said.textContent = sayHowMany(ticked.size, others.length, most);
    form.hidden = here.length === 0 && ticked.size === 0;
    write(kept, ticked);
  }

  function tick(box: HTMLInputElement, isTicked: boolean): void {
    if (isTicked) ticked.add(box.value);
    else ticked.delete(box.value);
  }

  function forget(): void {
    ticked.clear();
    show();
  }

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target === every) boxes().forEach((box) => tick(box, every.checked));
    else if (boxes().includes(target)) tick(target, target.checked);
    else return;
    show();
  });
  clear.addEventListener("click", () => {
    forget();
    every.focus();
  });
  document.addEventListener(DONE, forget);
  show();
  return show;
}

function sayHowMany(all: number, elsewhere: number, most: number): string {
  if (all === 0) return "";
  const many = `${grouped.format(all)} ticked`;
  if (all > most) return `${many}, at most ${grouped.format(most)} at once`;
  return elsewhere === 0 ? many : `${many}, ${grouped.format(elsewhere)} not on this page`;
}

function hidden(name: string, value: string): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  return input;
}

function read(name: string): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(name) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

function write(name: string, ticked: Set<string>): void {
  try {
    if (ticked.size) sessionStorage.setItem(name, JSON.stringify([...ticked]));
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing keeps the ticks as long as the page.
  }
}
