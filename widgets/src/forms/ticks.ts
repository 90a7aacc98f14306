/** The ticks of a list: they stay while it is paged, sorted and filtered, until they are used. */

/** The event that clears all ticks; the server sends it. */
const DONE = "ticked-moved";

// Without imports: a chunk shared with other scripts would cost allBox page a request.
const grouped = new Intl.NumberFormat("en-GB");

/** Stores the ticks of a form; returns a function that renders them after the list has changed. */
export function watchTicks(form: HTMLFormElement): () => void {
  const storageKey = `ticks:${form.dataset.user}`;
  const max = Number(form.dataset.most);
  const all = form.querySelector<HTMLElement>("[data-all]") as HTMLElement;
  const allBox = all.querySelector("input") as HTMLInputElement;
  const message = form.querySelector("[data-message]") as HTMLElement;
  const clear = form.querySelector("[data-clear]") as HTMLButtonElement;
  const move = form.querySelector("[data-move]") as HTMLButtonElement;
  const elsewhere = form.appendChild(document.createElement("div"));
  elsewhere.hidden = true;
  const ticked = new Set<string>(read(storageKey));

  const boxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][form="${form.id}"]`),
  ];

  function render(): void {
    const here = boxes();
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
    form.hidden = here.length === 0 && ticked.size === 0;
    write(storageKey, ticked);
  }

  function tick(box: HTMLInputElement, isTicked: boolean): void {
    if (isTicked) ticked.add(box.value);
    else ticked.delete(box.value);
  }

  function clearAll(): void {
    ticked.clear();
    render();
  }

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target === allBox) for (const box of boxes()) tick(box, allBox.checked);
    else if (boxes().includes(target)) tick(target, target.checked);
    else return;
    render();
  });
  clear.addEventListener("click", () => {
    clearAll();
    allBox.focus();
  });
  document.addEventListener(DONE, clearAll);
  render();
  return render;
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
    // Without storage, the ticks last only as long as the page.
  }
}
