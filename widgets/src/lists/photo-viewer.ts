/** The photos of a check, one at a time, in a dialog over the page. */

/** The keys that turn to another photo, and how far. */
const TURNS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

const FRAME = `
  <header>
    <div class="grow"><h1 id="photo-title"></h1><p class="note" role="status"></p></div>
    <button class="btn quiet" type="button" data-close>Close</button>
  </header>
  <img>
  <footer>
    <button class="btn" type="button" data-turn="-1">Previous</button>
    <button class="btn" type="button" data-turn="1">Next</button>
  </footer>`;

function find<Found extends HTMLElement>(root: ParentNode, selector: string): Found {
  return root.querySelector<Found>(selector) as Found;
}

/** Opens the dialog on the photo of a link; Next and Previous go round among those beside it. */
export function viewPhotos(opener: HTMLAnchorElement): void {
  const group = opener.closest<HTMLElement>("[data-photos]");
  const links = [...(group?.querySelectorAll<HTMLAnchorElement>("a:not(.btn)") ?? [opener])];
  const dialog = document.createElement("dialog");
  dialog.className = "viewer";
  dialog.setAttribute("aria-labelledby", "photo-title");
  dialog.innerHTML = FRAME;
  const picture = find<HTMLImageElement>(dialog, "img");
  const place = find(dialog, "[role=status]");
  let current = links.indexOf(opener);
  const number = () => `Photo ${current + 1} of ${links.length}`;

  const show = () => {
    const name = links[current]?.querySelector("img")?.alt ?? "";
    picture.src = links[current]?.href ?? "";
    picture.alt = name;
    place.textContent = number();
  };
  const turn = (by: number) => {
    current = (current + by + links.length) % links.length;
    show();
  };

  find(dialog, "h1").textContent = group?.dataset.photos ?? "";
  if (links.length < 2) find(dialog, "footer").remove();
  picture.addEventListener("error", () => {
    place.textContent = `${number()}: failed to load. Close it and try again.`;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target.dataset.turn) turn(Number(target.dataset.turn));
    // Beside the dialog, a click is on its backdrop.
    if (target === dialog || target.dataset.close !== undefined) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const by = TURNS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    turn(by);
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    links[current]?.focus();
  });

  show();
  document.body.append(dialog);
  dialog.showModal();
  find(dialog, "[data-close]").focus();
}
