/** What the service worker replies when a page is opened: the server's page, or after a while the shell. */
import { isOurs } from "../shared/failures";

/** How long a page is waited for where the shell can show it. */
export const WAIT_MS = 3_000;

export interface Navigation {
  /** Loads the page from the server. */
  load: () => Promise<Response>;
  /** Returns whether the shell can show the page. */
  canOpen: () => Promise<boolean>;
  /** Returns the shell. */
  shell: () => Promise<Response | undefined>;
}

/** Returns whether a page is of our server; a redirect can't be read. */
function isOurPage({ type, headers }: Response): boolean {
  return type === "opaqueredirect" || isOurs((header) => headers.get(header));
}

const after = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Replies to the opening of a page. */
export async function respond({ load, canOpen, shell }: Navigation): Promise<Response> {
  const live = load();
  const own = canOpen()
    .then((can) => (can ? shell() : undefined))
    .catch(() => undefined);
  const waited = after(WAIT_MS).then(() => own);
  try {
    const first = await Promise.race([live, waited]);
    const reply = first ?? (await live);
    return isOurPage(reply) ? reply : ((await own) ?? reply);
  } catch (error) {
    const page = await shell();
    if (page) return page;
    throw error;
  }
}
