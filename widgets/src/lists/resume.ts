/** Offers a saved stock check on the list of its site. */

/** The name of the database of drafts, not imported: a chunk for it would cost each list a request. */
const DRAFTS = "quartermaster";

/** Returns whether this browser may have drafts; some don't tell which databases they have. */
async function mayHaveDrafts(): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === DRAFTS);
  } catch {
    return true;
  }
}

/** Loads what offers it, where there may be one: most browsers have none. */
export async function offerSaved(container: HTMLElement): Promise<void> {
  if (!(await mayHaveDrafts())) return;
  const count = await import("../shared/saved-count");
  await count.offerSavedCount(container);
}
