/** The count, once its lines are loaded. */
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
import { call, failureMessage } from "../shared/api";
import { confirmAction } from "../shared/confirm";
import { isPersistent } from "../shared/drafts";
import type { WatchKept } from "../shared/Kept";
import { plural } from "../shared/money";
import { Problems } from "../shared/Problems";
import { since } from "../shared/times";
import { useLeaveWarning } from "../shared/useLeaveWarning";
import { Notice } from "../shared/widget";
import { ApplyDialog } from "./ApplyDialog";
import { Bar } from "./Bar";
import { CountTable, type CountTableHandle } from "./CountTable";
import { categoriesOf, Filters, useView } from "./Filters";
import { FoundItems } from "./FoundItems";
import { loadSending, preload } from "./lazy";
import type { Props } from "./props";
import { StaleLines } from "./StaleLines";
import type { CountStore } from "./store";
import { Tools } from "./Tools";
import { useApply } from "./useApply";

const LOST = "Your count will be lost. To finish it later in this browser, choose Back instead.";
const UNCHANGED =
  "Your changes will be lost. The count as you applied it stays among what is not sent yet.";

interface CountProps {
  store: CountStore;
  props: Props;
  onStartAgain: () => void;
  /** Called once the count is kept until it is sent. */
  onKept: (watch: WatchKept) => void;
}

export function Count({ store, props, onStartAgain, onKept }: CountProps) {
  const { draft } = store;
  const { isBusy, feedback, setFeedback, changes, prepare, keepCounting, apply } = useApply(
    store,
    props,
    onKept,
  );
  const view = useView(store);
  const table = useRef<CountTableHandle>(null);
  const [resumedFrom, setResumedFrom] = useState(store.resumedFrom);
  const categories = useMemo(() => categoriesOf(store), [store]);
  const isLeaving = useRef(false);
  useLeaveWarning(useCallback(() => draft.hasWork && !isLeaving.current, [draft]));
  useEffect(preload, []);
  useEffect(() => {
    addEventListener("pagehide", draft.flush);
    return () => {
      removeEventListener("pagehide", draft.flush);
      void draft.flush();
    };
  }, [draft]);

  const goTo = (target: string) => {
    if (target === "moved") return document.getElementById("moved-title")?.focus();
    if (target.startsWith("found:")) {
      return document.getElementById(`${target.slice(6)}-name`)?.focus();
    }
    const index = store.indexOf(target);
    if (index === undefined) return;
    // A line that the filters hide must be rendered before it can take the focus.
    flushSync(view.reset);
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
      const lines = plural(sheet.lines.length, "line", "lines");
      const found = plural(sheet.found.length, "found item", "found items");
      setFeedback({ problems: [], message: `Loaded ${lines} and ${found} from the sheet.` });
    } catch (error) {
      const messages = failureMessage(error, "Failed to load the sheet", false).split("\n");
      setFeedback({
        problems: messages.map((message) => ({ message, target: null })),
        message: "",
      });
    }
  };

  const goBack = async () => {
    await draft.flush();
    // What the browser couldn't save is lost, so that it still warns.
    isLeaving.current = isPersistent();
    location.assign(props.back);
  };

  /** What was applied before it was edited is sent as it was. */
  const resume = async () => {
    if (draft.edited) await (await loadSending()).resume(draft.edited);
  };

  const cancel = async () => {
    const question = {
      title: "Cancel the stock check?",
      text: draft.edited ? UNCHANGED : LOST,
      confirmLabel: "Discard the count",
      cancelLabel: "Keep counting",
    };
    if (draft.hasWork && !(await confirmAction(question))) return;
    await draft.discard();
    await resume();
    location.assign(props.back);
  };

  const startAgain = async () => {
    const question = {
      title: "Start again?",
      text: "The saved count will be lost.",
      confirmLabel: "Start again",
    };
    if (!(await confirmAction(question))) return;
    await draft.discard();
    await resume();
    onStartAgain();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setResumedFrom(null);
    prepare();
  };

  // Enter in a field would apply the whole count; only its button does.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };

  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} noValidate aria-busy={isBusy}>
      {/* Input during the request would be lost when the draft is discarded. */}
      <div inert={isBusy}>
        <Tools
          store={store}
          props={props}
          onBack={() => void goBack()}
          onSheet={(file) => void loadSheet(file)}
        />
        {/* The shell says it in its own header. */}
        {store.asOf !== null && !props.reference && (
          <p className="note">Stock as of {since(new Date(store.asOf))}</p>
        )}
        <Problems problems={feedback.problems} onGo={goTo} />
        {resumedFrom && (
          <Notice
            kind=""
            text={`Count resumed. It was started at ${since(resumedFrom)} and is saved in this browser.`}
          >
            <button type="button" className="btn" onClick={() => void startAgain()}>
              Start again
            </button>
          </Notice>
        )}
        <StaleLines store={store} />
        <FoundItems store={store} categories={categories} />
        <Filters view={view} categories={categories} siteLabel={props.siteLabel} />
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
              <button type="button" className="btn" onClick={view.reset}>
                Show all
              </button>
            )}
          </div>
        )}
      </div>
      <Bar
        store={store}
        isBusy={isBusy}
        message={feedback.message}
        onCancel={() => void cancel()}
      />
      {changes && (
        <ApplyDialog
          changes={changes}
          siteLabel={props.siteLabel}
          onKeepCounting={keepCounting}
          onApply={apply}
        />
      )}
    </form>
  );
}
