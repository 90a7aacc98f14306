/** The table of the offline stock list. */
import { useCallback, useState } from "react";
import { ColumnHeads } from "../../shared/ColumnHeads";
import { VirtualRows } from "../../shared/VirtualRows";
import { type OnMove, type Row, StockRow } from "./StockRow";

interface Props {
  visible: Row[];
  siteLabel: string;
  delivers: boolean;
  transfers: boolean;
  /** Null for those who may only look. */
  onMove: OnMove | null;
}

const COLUMNS = [["Item"], ["Amount", "num"], ["Category"], ["Unit Price", "num"]] as const;
const WITH_ACTIONS = [...COLUMNS, ["Actions", "acts"]] as const;

export function StockTable({ visible, siteLabel, delivers, transfers, onMove }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const keyOf = useCallback((position: number) => visible[position]?.id ?? position, [visible]);
  return (
    <div className="fit">
      <table className="table cards stock" role="table" aria-rowcount={visible.length + 1}>
        <caption className="sr">Stock at {siteLabel}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            <ColumnHeads columns={onMove ? WITH_ACTIONS : COLUMNS} />
          </tr>
        </thead>
        <VirtualRows
          count={visible.length}
          active={active === null ? -1 : visible.findIndex(({ id }) => id === active)}
          onActive={(position) => setActive(visible[position]?.id ?? null)}
          keyOf={keyOf}
        >
          {(position, measure) => {
            const item = visible[position];
            return (
              item && (
                <StockRow
                  item={item}
                  position={position}
                  delivers={delivers}
                  transfers={transfers}
                  onMove={onMove}
                  measure={measure}
                />
              )
            );
          }}
        </VirtualRows>
      </table>
    </div>
  );
}
