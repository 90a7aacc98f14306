/** Resumes the count that is kept, or loads the list to begin one. */
import { useCallback, useEffect, useState } from "react";
import { sayFailure } from "../shared/api";
import { loadItems } from "../shared/inventory";
import { COUNT } from "../shared/kept-count";
import { Count } from "./Count";
import type { Props } from "./props";
import { CountStore } from "./store";

type State = { store: CountStore } | { failure: string } | null;

export function StockCheck({ props }: { props: Props }) {
  const { user, division, site } = props;
  const [state, setState] = useState<State>(null);

  const begin = useCallback(async () => {
    setState(null);
    const owner = { user, division, site, kind: COUNT };
    try {
      setState({ store: await CountStore.open(owner, () => loadItems({ division, site })) });
    } catch (error) {
      setState({ failure: sayFailure(error, "Failed to load inventory", false) });
    }
  }, [user, division, site]);

  useEffect(() => {
    void begin();
  }, [begin]);

  if (state === null)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  if ("failure" in state) {
    return (
      <>
        <div className="head">
          <h1>
            Stock check <span className="badge">{props.siteLabel}</span>
          </h1>
        </div>
        <div className="notice bad row" role="alert">
          <p className="grow">{state.failure}</p>
          <button type="button" className="btn" onClick={() => void begin()}>
            Try again
          </button>
        </div>
      </>
    );
  }
  return <Count store={state.store} props={props} onStartAgain={() => void begin()} />;
}
