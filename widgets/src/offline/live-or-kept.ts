/** What is read from the server, or on a bad line what was read before. */
import { NoConnection } from "../shared/api";

/** For so long a page waits for the server where it has something else to show. */
const WAIT_MS = 3_000;

const afterWait = (): Promise<null> => new Promise((done) => setTimeout(done, WAIT_MS, null));

/** Returns what `live` reads; without a reply, or a fast one, what is kept here, unless there is nothing. */
export async function liveOrKept<Value extends object>(
  live: Promise<Value>,
  kept: () => Promise<Value | null>,
): Promise<Value> {
  const keptHere = () => kept().catch(() => null);
  try {
    const first = await Promise.race([live, afterWait()]);
    return first ?? (await keptHere()) ?? (await live);
  } catch (error) {
    const value = error instanceof NoConnection ? await keptHere() : null;
    if (value === null) throw error;
    return value;
  }
}
