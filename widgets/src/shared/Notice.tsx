/** Messages above the content with buttons beside them. */
import type { ReactNode } from "react";

interface Props {
  /** How urgent it is; '' for plain information. */
  kind: "" | "warn" | "bad";
  text: ReactNode;
  children: ReactNode;
}

export function Notice({ kind, text, children }: Props) {
  return (
    <div
      className={kind ? `notice ${kind} row` : "notice row"}
      role={kind === "bad" ? "alert" : "status"}
    >
      <p className="grow">{text}</p>
      {children}
    </div>
  );
}

/** Why data could not be loaded, with a way to try again; nothing while `message` is ''. */
export function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  if (!message) return null;
  return (
    <Notice kind="bad" text={message}>
      <button type="button" className="btn" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  );
}
