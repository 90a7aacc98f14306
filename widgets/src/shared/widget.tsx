/** What each widget has: its mount, and messages above its content with buttons beside them. */
import type { ComponentType, ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { Unmount } from "./mount";

/** Returns the `mount` function that a widget's script exports. */
export function mountOf<Props>(Component: ComponentType<{ props: Props }>) {
  return (element: HTMLElement, props: Props): Unmount => {
    const root = createRoot(element);
    root.render(<Component props={props} />);
    return () => root.unmount();
  };
}

interface NoticeProps {
  /** How urgent it is; '' for plain information. */
  kind: "" | "warn" | "bad";
  text: ReactNode;
  children: ReactNode;
}

export function Notice({ kind, text, children }: NoticeProps) {
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
