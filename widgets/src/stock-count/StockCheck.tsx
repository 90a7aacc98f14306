/** Resumes the saved count, or loads the list to start one. */
import { useCallback } from "react";
import { loadItems } from "../shared/inventory";
import { LoadFailure } from "../shared/Notice";
import { COUNT } from "../shared/saved-count";
import { useLoad } from "../shared/useLoad";
import { Count } from "./Count";
import type { Props } from "./props";
import { CountStore } from "./store";

export function StockCheck({ props }: { props: Props }) {
  const { user, division, site } = props;
  const openStore = useCallback(() => {
    const owner = { user, division, site, kind: COUNT };
    return CountStore.open(owner, () => loadItems({ division, site }));
  }, [user, division, site]);
  const { data: store, failure, load } = useLoad(openStore, "Failed to load inventory");

  if (failure) {
    return (
      <>
        <div className="head">
          <h1>
            Stock check <span className="badge">{props.siteLabel}</span>
          </h1>
        </div>
        <LoadFailure message={failure} onRetry={() => void load()} />
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
  return <Count store={store} props={props} onStartAgain={() => void load()} />;
}
