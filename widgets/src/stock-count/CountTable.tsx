/** The lines of the count. */
import { type Ref, useCallback, useImperativeHandle, useState } from "react";
import { flushSync } from "react-dom";
import { ColumnHeads } from "../shared/ColumnHeads";
import { VirtualRows } from "../shared/VirtualRows";
import { CountRow } from "./CountRow";
import type { CountStore } from "./store";

export interface CountTableHandle {
  focusLine(index: number): void;
}

interface Props {
  store: CountStore;
  visible: number[];
  siteLabel: string;
  handle: Ref<CountTableHandle>;
}

const COLUMNS = [
  ["Item"],
  ["Expected", "num"],
  ["Counted", "num counting"],
  ["Difference", "num diff"],
  ["Category", "wide"],
  ["Unit Price", "num wide"],
] as const;

export function CountTable({ store, visible, siteLabel, handle }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const keyOf = useCallback((position: number) => visible[position] ?? position, [visible]);
  const focusPosition = useCallback(
    (position: number) => {
      const index = visible[position];
      if (index === undefined) return;
      flushSync(() => setActive(index));
      document.getElementById(`count-${index}`)?.focus();
    },
    [visible],
  );
  useImperativeHandle(
    handle,
    () => ({ focusLine: (index) => focusPosition(visible.indexOf(index)) }),
    [focusPosition, visible],
  );

  return (
    <div className="fit">
      <table
        className="table cards count sheet-of-counts"
        role="table"
        aria-rowcount={visible.length + 1}
      >
        <caption className="sr">Count of stock at {siteLabel}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            <ColumnHeads columns={COLUMNS} />
          </tr>
        </thead>
        <VirtualRows
          count={visible.length}
          active={active === null ? -1 : visible.indexOf(active)}
          onActive={(position) => setActive(visible[position] ?? null)}
          keyOf={keyOf}
        >
          {(position, measure) => (
            <CountRow
              store={store}
              index={visible[position] ?? 0}
              position={position}
              onMove={focusPosition}
              measure={measure}
            />
          )}
        </VirtualRows>
      </table>
    </div>
  );
}
