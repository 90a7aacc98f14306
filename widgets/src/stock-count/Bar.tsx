/** The bottom bar: a message, the summary, when the draft was saved, Cancel and Apply. */
import { Fragment, type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { isPersistent } from "../shared/drafts";
import { formatNumber, formatPence, plural } from "../shared/money";
import { since } from "../shared/times";
import type { CountStore } from "./store";

/** Parts of a line that may break only between them. */
function Parts({ children }: { children: ReactNode[] }) {
  return children.filter(Boolean).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
    <Fragment key={index}>
      {index > 0 && " · "}
      <span className="whole">{part}</span>
    </Fragment>
  ));
}

interface Props {
  store: CountStore;
  isBusy: boolean;
  message: string;
  onCancel: () => void;
}

export function Bar({ store, isBusy, message, onCancel }: Props) {
  const sum = useSyncExternalStore(store.subscribe, store.summary);
  const found = useSyncExternalStore(store.subscribe, store.foundItems);
  const status = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The bar stays in view by itself, unless the text is so large that it doesn't stick.
    if (message) status.current?.scrollIntoView({ block: "nearest" });
  }, [message]);
  const savedText =
    store.draft.savedAt &&
    (isPersistent()
      ? `saved at ${since(store.draft.savedAt)}`
      : "not saved: this browser doesn't allow storage");
  const parts = [
    sum.differences > 0 && `+${formatNumber(sum.up)} / −${formatNumber(sum.down)} units`,
    sum.differences > 0 && `+${formatPence(sum.penceUp)} / −${formatPence(sum.penceDown)}`,
    found.length > 0 && plural(found.length, "found item", "found items"),
  ];
  return (
    <div className="bar" role="region" aria-label="Finish the stock check">
      <div role="status" ref={status}>
        {message && <p className="notice">{message}</p>}
      </div>
      <p>
        <Parts>
          {[<b key="n">{plural(sum.differences, "difference", "differences")}</b>, ...parts]}
        </Parts>
        <br />
        <span className="muted">
          <Parts>{[`${plural(sum.notLooked, "line", "lines")} not looked at`, savedText]}</Parts>
        </span>
      </p>
      <button type="button" className="btn" onClick={onCancel} disabled={isBusy}>
        Cancel
      </button>
      <button type="submit" className="btn primary" disabled={isBusy}>
        Apply
      </button>
    </div>
  );
}
