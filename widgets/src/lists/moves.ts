/** Loads what moves stock without a connection. */
type Live = typeof import("../offline/move-dialog/live");

/** Loads the script that a dialog names in `data-moves`, and uses it. */
export async function loadMoves<Result>(
  address: string,
  use: (live: Live) => Promise<Result>,
): Promise<Result> {
  return use((await import(address)) as Live);
}
