/** Asks before a page with unsent work is left. */
import { useEffect } from "react";
import { isSigningIn } from "./session";

export function useAskBeforeLeaving(hasUnsent: () => boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      // What is on its way to the sign-in comes back to what is kept.
      if (hasUnsent() && !isSigningIn()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [hasUnsent]);
}
