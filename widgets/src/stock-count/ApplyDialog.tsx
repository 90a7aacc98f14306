/** The question before a count is applied: what it changes, and what nobody looked at. */
import { useEffect, useRef } from "react";
import { confirmAction } from "../shared/confirm";
import { formatNumber, formatSignedPence, plural } from "../shared/money";
import { signed } from "./CountRow";
import { type ChangedLine, type Changes, NO_DIFFERENCES } from "./changes";

const NAMED = 3;
const APPLY = "apply";

function named(names: string[]): string {
  const first = names.slice(0, NAMED).join(", ");
  const rest = names.length - NAMED;
  return rest > 0 ? `${first} and ${formatNumber(rest)} more` : first;
}

function Title({ changes: { differing, found, netPence } }: { changes: Changes }) {
  if (differing + found === 0) return NO_DIFFERENCES;
  return (
    <>
      {differing > 0 && `${plural(differing, "line differs", "lines differ")}, `}
      {found > 0 && `${plural(found, "found item", "found items")}, `}
      <span className="whole">net {formatSignedPence(netPence)}</span>
    </>
  );
}

function Largest({ lines, count }: { lines: ChangedLine[]; count: number }) {
  if (lines.length === 0) return null;
  const rest = count - lines.length;
  return (
    <div>
      <h2 id="largest-title">{rest > 0 ? "The largest differences" : "Differences"}</h2>
      <ul className="largest" aria-labelledby="largest-title">
        {lines.map(({ name, expected, counted, pence }) => (
          <li key={name}>
            <span>{name}</span>
            <span className={`num ${counted < (expected ?? 0) ? "down" : "up"}`}>
              {formatSignedPence(pence)}
            </span>
            <span className="note">
              {expected === null
                ? `found: ${formatNumber(counted)}`
                : `${formatNumber(expected)} → ${formatNumber(counted)} (${signed(counted - expected)})`}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="note">and {plural(rest, "smaller one", "smaller ones")}</p>}
    </div>
  );
}

interface Props {
  changes: Changes;
  siteLabel: string;
  onKeepCounting: () => void;
  onApply: () => void;
}

export function ApplyDialog({ changes, siteLabel, onKeepCounting, onApply }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const { differing, found, agreeing, staying, unseen, emptied, stocked } = changes;
  const count = differing + found;

  useEffect(() => {
    dialog.current?.showModal();
    // So that Enter is safe; with large text, the title must stay in view.
    keep.current?.focus();
    dialog.current?.scrollTo(0, 0);
  }, []);

  const close = (result: string) => dialog.current?.close(result);
  const apply = async () => {
    const items = `${formatNumber(emptied)} of ${plural(stocked, "item", "items")}`;
    const isConfirmed =
      emptied * 2 <= stocked ||
      (await confirmAction({
        title: `Set ${items} to 0?`,
        text: `Most of ${siteLabel} will have no stock. Check that everything there was counted.`,
        confirmLabel: `Set ${formatNumber(emptied)} to 0`,
        cancelLabel: "Go back",
      }));
    if (isConfirmed) close(APPLY);
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby="apply-title"
      aria-describedby="apply-notes"
      onClose={() => (dialog.current?.returnValue === APPLY ? onApply() : onKeepCounting())}
    >
      <header>
        <h1 id="apply-title">
          <Title changes={changes} />
        </h1>
      </header>
      <div className="form">
        <Largest lines={changes.largest} count={count} />
        <div className="fields" id="apply-notes">
          {unseen.length > 0 && (
            <p className="caution">
              {plural(unseen.length, "line", "lines")} not looked at will change:{" "}
              <span className="names">{named(unseen)}</span>
            </p>
          )}
          {staying.length > 0 && (
            <p>
              {plural(staying.length, "line", "lines")} not looked at will stay as{" "}
              {staying.length === 1 ? "it is" : "they are"}:{" "}
              <span className="names">{named(staying)}</span>
            </p>
          )}
          {agreeing > 0 && (
            <p>
              {plural(agreeing, "line", "lines")} counted as expected will be recorded
              {count > 0 && " too"}.
            </p>
          )}
        </div>
        <footer>
          <button type="button" className="btn" ref={keep} onClick={() => close("")}>
            Keep counting
          </button>
          <button type="button" className="btn primary" onClick={() => void apply()}>
            {count > 0 ? `Apply ${formatNumber(count)}` : `Record ${formatNumber(agreeing)}`}
          </button>
        </footer>
      </div>
    </dialog>
  );
}
