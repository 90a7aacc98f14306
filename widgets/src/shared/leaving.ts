/** Asks before a page with unsent work is left. */
import { useEffect } from "react";

export function useAskBeforeLeaving(hasUnsent: () => boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsent()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [hasUnsent]);
}
