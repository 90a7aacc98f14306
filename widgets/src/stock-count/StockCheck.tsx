/** Resumes the saved count, or loads the list to start one. */
import { useCallback, useEffect, useState } from "react";
import { COUNT } from "../shared/drafts";
import { Kept, type WatchKept } from "../shared/Kept";
import { useLoad } from "../shared/useLoad";
import { LoadFailure } from "../shared/widget";
import { Count } from "./Count";
import { loadList } from "./list";
import type { Props } from "./props";
import { CountStore } from "./store";

/** After the first screen, which writing a long list would delay on a slow phone. */
const SAVE_LIST_AFTER_MS = 1_000;

export function StockCheck({ props }: { props: Props }) {
  const { user, division, site, reference } = props;
  const openStore = useCallback(() => {
    const owner = { user, division, site, kind: COUNT };
    return CountStore.open(owner, () => loadList({ user, division, site }, reference));
  }, [user, division, site, reference]);
  const { data: store, failure, load } = useLoad(openStore, "Failed to load inventory");

  useEffect(() => {
    const timer = setTimeout(() => store?.draft.saveList(), SAVE_LIST_AFTER_MS);
    // A list that is replaced must not be saved over the next one.
    return () => clearTimeout(timer);
  }, [store]);

  const [kept, setKept] = useState<WatchKept | null>(null);

  if (kept || failure) {
    return (
      <>
        <div className="head">
          <a className="back" href={props.back}>
            <span>Back</span>
          </a>
          <h1>
            Stock check <span className="badge">{props.siteLabel}</span>
          </h1>
        </div>
        {kept ? (
          <Kept watch={kept}>
            <a href={props.back}>Stock list</a>
          </Kept>
        ) : (
          <LoadFailure message={failure} onRetry={() => void load()} />
        )}
      </>
    );
  }
  if (store === null) {
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  }
  return (
    <Count
      store={store}
      props={props}
      onStartAgain={() => void load()}
      onKept={(watch) => setKept(() => watch)}
    />
  );
}
