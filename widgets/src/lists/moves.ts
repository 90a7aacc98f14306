/** Loads what moves stock without a connection, on pages that have its dialogs. */
type Moves = typeof import("../offline/move-dialog/live");

/** Loads the script whose address the page's dialog names; null on other pages. */
export async function loadMoves(): Promise<Moves | null> {
  const address = document.querySelector<HTMLElement>("#dialog")?.dataset.moves;
  return address ? ((await import(address)) as Moves) : null;
}
