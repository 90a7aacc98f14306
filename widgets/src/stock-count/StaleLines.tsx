/** Lines whose stock changed during the count: the user decides about each. */
import { Fragment, useSyncExternalStore } from "react";
import { ColumnHeads } from "../shared/ColumnHeads";
import { formatNumber } from "../shared/money";
import { Difference, signed } from "./CountRow";
import { type Resolution, type StaleAmount, withDifference } from "./line";
import type { CountStore } from "./store";

const MIN_LINES_FOR_ALL = 3;

interface ChoiceProps {
  moved: StaleAmount;
  item: string;
  onChoose: (choice: Resolution) => void;
}

function Choices({ moved, item, onChoose }: ChoiceProps) {
  const { amount, was, choice } = moved;
  if (amount === null) {
    return (
      <button
        type="button"
        className="btn"
        aria-pressed={choice === "leave-out"}
        aria-label={`Leave it out: ${item}`}
        onClick={() => onChoose("leave-out")}
      >
        Leave it out
      </button>
    );
  }
  const difference = was.counted - was.expected;
  const result = withDifference(moved);
  return (
    <>
      <button
        type="button"
        className="btn"
        aria-pressed={choice === "count"}
        onClick={() => onChoose("count")}
      >
        Keep what I counted ({formatNumber(was.counted)})
      </button>
      {result === null ? (
        <span className="note">
          The difference of {signed(difference)} can't be kept: only {formatNumber(amount)} are
          left.
        </span>
      ) : (
        <button
          type="button"
          className="btn"
          aria-pressed={choice === "difference"}
          onClick={() => onChoose("difference")}
        >
          Keep the difference ({difference === 0 ? "0" : signed(difference)} →{" "}
          {formatNumber(result)})
        </button>
      )}
    </>
  );
}

function nowText({ amount, was }: StaleAmount): string {
  const now = amount === null ? "removed since" : `${formatNumber(amount)} now`;
  return `${formatNumber(was.expected)} when you started, ${now}`;
}

const COLUMNS = [["Item"], ["Expected", "num"], ["Counted", "num"], ["Difference", "num"]] as const;

export function StaleLines({ store }: { store: CountStore }) {
  useSyncExternalStore(store.subscribe, store.summary);
  const moved = store.staleLines();
  if (moved.length === 0) return null;
  const resolveAll = (choice: "count" | "difference") =>
    moved.forEach((index) => {
      if (store.line(index).moved?.amount !== null) store.resolve(index, choice);
    });

  return (
    <section className="moved" aria-labelledby="moved-title">
      <div className="section">
        <h2 id="moved-title" tabIndex={-1}>
          Stock that changed during the count
        </h2>
        {moved.length >= MIN_LINES_FOR_ALL && (
          <div className="row">
            <button type="button" className="btn" onClick={() => resolveAll("count")}>
              Keep all I counted
            </button>
            <button type="button" className="btn" onClick={() => resolveAll("difference")}>
              Keep all differences
            </button>
          </div>
        )}
      </div>
      <div className="fit">
        <table className="table cards count" role="table" aria-labelledby="moved-title">
          <thead role="rowgroup">
            <tr role="row">
              <ColumnHeads columns={COLUMNS} />
            </tr>
          </thead>
          <tbody role="rowgroup">
            {moved.map((index) => {
              const line = store.line(index).moved as StaleAmount;
              const item = store.items[index]?.item ?? "";
              return (
                <Fragment key={item}>
                  <tr role="row" className="choice">
                    <th role="rowheader" scope="row">
                      {item}
                      <br />
                      <span className="caution">{nowText(line)}</span>
                    </th>
                    <td role="cell" className="num" data-label="Expected">
                      {formatNumber(line.was.expected)}
                    </td>
                    <td role="cell" className="num" data-label="Counted">
                      {formatNumber(line.was.counted)}
                    </td>
                    <td role="cell" className="num diff">
                      <Difference value={line.was.counted - line.was.expected} />
                    </td>
                  </tr>
                  <tr role="row" className="choice">
                    <td role="cell" colSpan={4} className="full">
                      <div className="row choices" role="group" aria-label={item}>
                        <Choices
                          moved={line}
                          item={item}
                          onChoose={(choice) => store.resolve(index, choice)}
                        />
                      </div>
                    </td>
                  </tr>
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
