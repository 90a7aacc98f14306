/** The bottom bar: what is unsent, where it is kept, and the way out. */
import { useSyncExternalStore } from "react";
import { isKept } from "../shared/drafts";
import { formatNumber, formatPence } from "../shared/money";
import { since } from "../shared/times";
import type { CountStore } from "./store";

const plural = (count: number, one: string, many: string) => `${formatNumber(count)} ${count === 1 ? one : many}`;

interface Props {
  store: CountStore;
  busy: boolean;
  onCancel: () => void;
}

export function Bar({ store, busy, onCancel }: Props) {
  const sum = useSyncExternalStore(store.subscribe, store.summary);
  const found = useSyncExternalStore(store.subscribe, store.foundItems);
  const kept = store.keptAt && (isKept() ? `kept at ${since(store.keptAt)}` : "not kept: this browser refuses to store it");
  return (
    <div className="bar" role="region" aria-label="Finish the stock check">
      <p>
        <b>{plural(sum.differences, "difference", "differences")}</b>
        {sum.differences > 0 && (
          <span>
            {" "}· +{formatNumber(sum.up)} / −{formatNumber(sum.down)} units · +{formatPence(sum.penceUp)} / −{formatPence(sum.penceDown)}
          </span>
        )}
        {found.length > 0 && <span> · {plural(found.length, "found item", "found items")}</span>}
        <br />
        <span className="muted">
          {plural(sum.notLooked, "line", "lines")} not looked at{kept && ` · ${kept}`}
        </span>
      </p>
      <button type="button" className="btn" onClick={onCancel} disabled={busy}>Cancel</button>
      <button className="btn primary" disabled={busy}>Apply</button>
    </div>
  );
}
