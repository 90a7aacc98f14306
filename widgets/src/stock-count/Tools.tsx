/** The title of the count, and the actions on all of it. */
import { type ChangeEvent, type MouseEvent, useRef } from "react";
import { confirmAction } from "../shared/confirm";
import { addFound } from "./FoundItems";
import type { Props } from "./props";
import type { CountStore } from "./store";

interface ToolsProps {
  store: CountStore;
  props: Props;
  onBack: () => void;
  onSheet: (file: File) => void;
}

export function Tools({ store, props, onBack, onSheet }: ToolsProps) {
  const menu = useRef<HTMLDivElement>(null);

  const closeMenu = () => {
    if (menu.current && "hidePopover" in menu.current) menu.current.hidePopover();
  };
  const setAll = async (base: "expected" | "zero", title: string) => {
    closeMenu();
    const isConfirmed =
      !store.hasCounts() ||
      (await confirmAction({
        title,
        text: "Your count so far will be lost.",
        confirmLabel: "Go ahead",
      }));
    if (isConfirmed) store.setAll(base);
  };
  const load = ({ target }: ChangeEvent<HTMLInputElement>) => {
    closeMenu();
    const [file] = target.files ?? [];
    if (file) onSheet(file);
    // The same file can be chosen again, after it was corrected.
    target.value = "";
  };

  const goBack = (event: MouseEvent) => {
    // A link that is opened in a new tab leaves the count open.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onBack();
  };

  return (
    <div className="head">
      <a className="back" href={props.back} onClick={goBack}>
        <span>Back</span>
      </a>
      <h1 tabIndex={-1}>
        Stock check <span className="badge wide">{props.siteLabel}</span>
      </h1>
      <button type="button" className="btn" id="add-found" onClick={() => addFound(store)}>
        Found new item
      </button>
      <button type="button" className="btn more" popoverTarget="count-tools">
        More
      </button>
      <div className="menu" id="count-tools" popover="auto" ref={menu}>
        <button
          type="button"
          className="btn"
          onClick={() => void setAll("expected", "Reset counts to expected?")}
        >
          Reset counts to expected
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => void setAll("zero", "Set all counted to 0?")}
        >
          Set all counted to 0
        </button>
        <a className="btn" href={props.sheet}>
          Print count sheet
        </a>
        <a className="btn" href={props.sheetCsv} download>
          Download count sheet (CSV)
        </a>
        <label className="btn">
          Load a filled-in sheet
          <input type="file" accept=".csv,text/csv" className="sr" onChange={load} />
        </label>
      </div>
    </div>
  );
}
