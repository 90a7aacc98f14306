/** Loads the data of a widget, with a message to show when that fails. */
import { startTransition, useCallback, useEffect, useState } from "react";
import { failureMessage, NoConnection } from "./api";

export interface Load<Data> {
  /** Null until it is loaded. */
  data: Data | null;
  /** The message of a failure; '' without one. */
  failure: string;
  isLoading: boolean;
  /** Loads from the beginning, as after a failure. */
  load: () => Promise<void>;
  /** Loads again in the background; without a reply, the data remain unchanged. */
  refresh: () => Promise<void>;
}

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

/** Loads at once, and again when `fetchData` changes: wrap it in useCallback. */
export function useLoad<Data>(fetchData: () => Promise<Data>, failureText: string): Load<Data> {
  const [data, setData] = useState<Data | null>(null);
  const [failure, setFailure] = useState("");

  const load = useCallback(async () => {
    setData(null);
    setFailure("");
    try {
      const loaded = await fetchData();
      // Rendered in slices: on a slow phone, a long list would otherwise block its first tap.
      startTransition(() => setData(loaded));
    } catch (error) {
      setFailure(failureMessage(error, failureText, false));
    }
  }, [fetchData, failureText]);
  useEffect(() => {
    void load();
  }, [load]);

  const refresh = useCallback(
    () =>
      fetchData().then(
        (fresh) => setData(fresh),
        () => undefined,
      ),
    [fetchData],
  );

  return { data, failure, isLoading: data === null && failure === "", load, refresh };
}
