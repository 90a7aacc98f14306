/** Says that a change is kept here until it is sent, and then when it was. */
import { type ReactNode, useEffect, useState } from "react";
import { KEPT, notSentYet } from "./messages";

/** What is shown about a change that is kept: when it was sent ('' until then), and how many aren't. */
export interface KeptState {
  sent: string;
  unsent: number;
}

/** Calls a listener with the state whenever that changes; returns how to end that. */
export type WatchKept = (listener: (state: KeptState) => void) => () => void;

export function Kept({ watch, children }: { watch: WatchKept; children?: ReactNode }) {
  const [{ sent, unsent }, setState] = useState<KeptState>({ sent: "", unsent: 1 });
  useEffect(() => watch(setState), [watch]);
  return (
    <div className="notice row" role="status">
      <p className="grow">{sent || KEPT}</p>
      {unsent > 0 && <a href="/outbox">{notSentYet(unsent)}</a>}
      {children}
    </div>
  );
}
