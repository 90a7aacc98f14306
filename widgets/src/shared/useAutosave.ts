/** Saves a draft of unsent work in the browser while it changes. */
import { type RefObject, useEffect } from "react";
import * as drafts from "./drafts";

export type DraftParts = [part: string, value: unknown][];

interface Options {
  owner: drafts.Owner;
  /** The parts to save; null discards the draft, because the form is empty. Wrap it in useMemo. */
  parts: DraftParts | null;
  /** Whether the user changed anything: until then, the draft isn't touched. */
  isTouched: RefObject<boolean>;
  /** Receives when the draft was saved, null when it was discarded. Wrap it in useCallback. */
  onSaved?: (moment: Date | null) => void;
}

export function useAutosave({ owner, parts, isTouched, onSaved }: Options): void {
  useEffect(() => {
    if (!isTouched.current) return;
    if (parts) void drafts.putMany(owner, parts).then(() => onSaved?.(new Date()));
    else void drafts.discard(owner).then(() => onSaved?.(null));
  }, [owner, parts, isTouched, onSaved]);
}
