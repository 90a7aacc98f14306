/** Parts of a script that are loaded once they are needed. */
import { NoConnection } from "./api";

interface Lazy<Part> {
  /** Loads the part; throws NoConnection where that fails. */
  load: () => Promise<Part>;
  /** Loads it before it is needed, since there may be no connection then. */
  preload: () => void;
}

/** Returns a part that `importPart` imports. */
export function lazy<Part>(importPart: () => Promise<Part>): Lazy<Part> {
  const load = () =>
    importPart().catch((): never => {
      throw new NoConnection();
    });
  return { load, preload: () => void load().catch(() => undefined) };
}
