/** One line of the count; it alone is rendered again when its count changes. */
import { type KeyboardEvent, memo, useCallback, useSyncExternalStore } from "react";
import { formatNumber, formatPence } from "../shared/money";
import { countOf, differenceOf, isLeftOut } from "./line";
import type { CountStore } from "./store";

export function signed(difference: number): string {
  return difference > 0 ? `+${formatNumber(difference)}` : `−${formatNumber(-difference)}`;
}

export function Difference({ value }: { value: number | null }) {
  if (value === null) return <span className="muted">–</span>;
  if (value === 0) return <span className="muted">0</span>;
  return <span className={value > 0 ? "up" : "down"}>{signed(value)}</span>;
}

interface Props {
  store: CountStore;
  index: number;
  /** Its position among the filtered lines. */
  position: number;
  onMove: (position: number) => void;
  measure: (row: HTMLTableRowElement | null) => void;
}

export const CountRow = memo(function CountRow({ store, index, position, onMove, measure }: Props) {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeLine(index, listener),
    [store, index],
  );
  const line = useSyncExternalStore(subscribe, () => store.line(index));
  const { item = "", category = "" } = store.items[index] ?? {};
  const serverError = useSyncExternalStore(subscribe, () => store.errors[item]);
  const difference = differenceOf(line);
  const isInvalid = countOf(line) === null;
  const error = isInvalid ? "Enter a whole number of 0 or more." : serverError;
  const errorId = `count-${index}-error`;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    store.look(index);
    onMove(position + (event.shiftKey ? -1 : 1));
  };

  return (
    <tr
      role="row"
      ref={measure}
      data-index={position}
      aria-rowindex={position + 2}
      className={difference === 0 || isLeftOut(line) ? undefined : "differs"}
    >
      <th role="rowheader" scope="row">
        {item}{" "}
        {line.looked && (
          <span className="looked" role="img" aria-label="Looked at">
            ✓
          </span>
        )}
        {isLeftOut(line) && <span className="badge warn">Left out</span>}
        {error && (
          <span className="error" id={errorId}>
            {error}
          </span>
        )}
      </th>
      <td role="cell" className="num" data-label="Expected">
        {formatNumber(line.expected)}
      </td>
      <td role="cell" className="num counting">
        <button
          type="button"
          className="btn"
          tabIndex={-1}
          aria-label={`One less ${item}`}
          onClick={() => store.step(index, -1)}
        >
          −
        </button>
        <input
          id={`count-${index}`}
          inputMode="numeric"
          enterKeyHint="next"
          autoComplete="off"
          aria-label={`Counted ${item}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          value={line.counted}
          onChange={(event) => store.type(index, event.target.value)}
          onFocus={(event) => event.target.select()}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="btn"
          tabIndex={-1}
          aria-label={`One more ${item}`}
          onClick={() => store.step(index, 1)}
        >
          +
        </button>
      </td>
      <td role="cell" className="num diff">
        <Difference value={difference} />
      </td>
      <td role="cell" className="wide">
        {category}
      </td>
      <td role="cell" className="num wide">
        {formatPence(store.penceOf(index))}
      </td>
    </tr>
  );
});
