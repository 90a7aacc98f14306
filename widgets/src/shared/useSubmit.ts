/** Runs a submission, and reports whether one is under way. */
import { useCallback, useState } from "react";

/** The state after a submission: the form is usable again, or the page is being left. */
export type AfterSubmit = "staying" | "leaving";

export interface Submit {
  isBusy: boolean;
  /** Runs a submission; a failure goes to `onFailure`, and the form can be submitted again. */
  submit: (send: () => Promise<AfterSubmit>, onFailure: (error: unknown) => void) => Promise<void>;
}

export function useSubmit(): Submit {
  const [isBusy, setBusy] = useState(false);
  const submit = useCallback<Submit["submit"]>(async (send, onFailure) => {
    setBusy(true);
    try {
      // A form on a page that is being left must not be sent again meanwhile.
      if ((await send()) === "leaving") return;
    } catch (error) {
      onFailure(error);
    }
    setBusy(false);
  }, []);
  return { isBusy, submit };
}
