/** Where the focus goes when the button that had it makes way for what it brought. */
import { useEffect, useRef } from "react";

/** Focuses the row that comes after `follow`, the next one, unless the person went elsewhere meanwhile. */
export function useFocusOnNext(
  count: number,
  rowAt: (index: number) => Element | null | undefined,
): () => void {
  const awaited = useRef<{ row: number; from: Element | null } | null>(null);
  useEffect(() => {
    if (awaited.current === null || count <= awaited.current.row) return;
    const { row, from } = awaited.current;
    awaited.current = null;
    const here = document.activeElement;
    if (here === from || here === document.body)
      rowAt(row)?.querySelector<HTMLElement>("a, button")?.focus();
  });
  return () => {
    awaited.current = { row: count, from: document.activeElement };
  };
}
