/** The count itself, once its lines are there. */
import {
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { call, sayFailure } from "../shared/api";
import { ask } from "../shared/ask";
import { useAskBeforeLeaving } from "../shared/leaving";
import { Problems } from "../shared/Problems";
import { since } from "../shared/times";
import { Bar } from "./Bar";
import { CountTable, type CountTableHandle } from "./CountTable";
import { categoriesOf, Filters, useView } from "./Filters";
import { FoundItems } from "./FoundItems";
import { MovedLines } from "./MovedLines";
import type { Props } from "./props";
import type { CountStore } from "./store";
import { Tools } from "./Tools";
import { useApply } from "./useApply";

interface CountProps {
  store: CountStore;
  props: Props;
  onStartAgain: () => void;
}

export function Count({ store, props, onStartAgain }: CountProps) {
  const { busy, outcome, setOutcome, apply } = useApply(store, props);
  const view = useView(store);
  const table = useRef<CountTableHandle>(null);
  const [resumedFrom, setResumedFrom] = useState(store.resumedFrom);
  const categories = useMemo(() => props.categories ?? categoriesOf(store), [props, store]);
  useAskBeforeLeaving(useCallback(() => store.hasWork(), [store]));
  useEffect(() => {
    addEventListener("pagehide", store.flush);
    return () => {
      removeEventListener("pagehide", store.flush);
      void store.flush();
    };
  }, [store]);

  const goTo = (target: string) => {
    if (target === "moved") return document.getElementById("moved-title")?.focus();
    if (target.startsWith("found:"))
      return document.getElementById(`${target.slice(6)}-name`)?.focus();
    const index = store.indexOf(target);
    if (index === undefined) return;
    // A line that the filters hide must be shown before it can be mended.
    flushSync(view.showAll);
    requestAnimationFrame(() => table.current?.focusLine(index));
  };

  const loadSheet = async (file: File) => {
    try {
      const { division, site } = props;
      const sheet = await call("POST", `/api/${division}/inventory/{site}/count-sheet`, {
        path: { site },
        body: file,
        seconds: 60,
      });
      store.fillFrom(sheet);
      const lines = sheet.lines.length === 1 ? "1 line" : `${sheet.lines.length} lines`;
      const found = sheet.found.length === 1 ? "1 found item" : `${sheet.found.length} found items`;
      setOutcome({ problems: [], said: `Loaded ${lines} and ${found} from the sheet.` });
    } catch (error) {
      const messages = sayFailure(error, "Failed to load the sheet", false).split("\n");
      setOutcome({ problems: messages.map((message) => ({ message, target: null })), said: "" });
    }
  };

  const cancel = async () => {
    const question = {
      title: "Cancel the stock check?",
      text: "What was counted is lost.",
      yes: "Discard the count",
    };
    if (store.hasWork() && !(await ask(question))) return;
    await store.discard();
    location.assign(props.back);
  };

  const startAgain = async () => {
    const question = {
      title: "Start again?",
      text: "The count that is kept is lost.",
      yes: "Start again",
    };
    if (!(await ask(question))) return;
    await store.discard();
    onStartAgain();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setResumedFrom(null);
    void apply();
  };

  // Enter in a field would apply the whole count; only its button does.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };

  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} noValidate aria-busy={busy}>
      {/* What is typed while it is sent would be gone with the count. */}
      <div inert={busy}>
        <Tools store={store} props={props} onSheet={(file) => void loadSheet(file)} />
        <Problems problems={outcome.problems} onGo={goTo} />
        <div role="status">{outcome.said && <p className="notice ok">{outcome.said}</p>}</div>
        {resumedFrom && (
          <div className="notice row" role="status">
            <p className="grow">This count is kept in this browser since {since(resumedFrom)}.</p>
            <button type="button" className="btn" onClick={() => void startAgain()}>
              Start again
            </button>
          </div>
        )}
        <MovedLines store={store} />
        <FoundItems store={store} categories={categories} />
        <Filters view={view} categories={categories} />
        {view.visible.length > 0 ? (
          <CountTable
            store={store}
            visible={view.visible}
            siteLabel={props.siteLabel}
            handle={table}
          />
        ) : (
          <div className="empty">
            <p>{store.items.length === 0 ? "No items in this inventory." : "No items match."}</p>
            {store.items.length > 0 && (
              <button type="button" className="btn" onClick={view.showAll}>
                Show all
              </button>
            )}
          </div>
        )}
      </div>
      <Bar store={store} busy={busy} onCancel={() => void cancel()} />
    </form>
  );
}
