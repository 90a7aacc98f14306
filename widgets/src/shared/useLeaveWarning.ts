/** Warns before a page with unsent work is left. */
import { useEffect } from "react";
import { isSigningIn } from "./session";

export function useLeaveWarning(hasUnsent: () => boolean): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      // The sign-in leads back to the page, where the draft is offered again.
      if (hasUnsent() && !isSigningIn()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [hasUnsent]);
}
