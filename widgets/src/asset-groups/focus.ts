/** Moves the focus when the button that had it is replaced by the rows it loaded. */
import { useEffect, useRef } from "react";

/**
 * Returns a function to call before more rows are loaded: the first of them takes the focus, unless
 * the user has moved the focus elsewhere meanwhile.
 */
export function useFocusOnNext(
  count: number,
  rowAt: (index: number) => Element | null | undefined,
): () => void {
  const pending = useRef<{ row: number; from: Element | null } | null>(null);
  useEffect(() => {
    if (pending.current === null || count <= pending.current.row) return;
    const { row, from } = pending.current;
    pending.current = null;
    const here = document.activeElement;
    if (here === from || here === document.body)
      rowAt(row)?.querySelector<HTMLElement>("a, button")?.focus();
  });
  return () => {
    pending.current = { row: count, from: document.activeElement };
  };
}
