/** A row of the offline stock list, as templates/stock/_rows.html has it. */
import { type MouseEvent, memo, useRef } from "react";
import type { Action } from "../../outbox/move-content";
import { describeChange, type WithPending } from "../../outbox/pending";
import { formatNumber, formatPence } from "../../shared/money";
import type { Measure } from "../../shared/VirtualRows";
import type { StockItem } from "../stock-reference";

export type Row = WithPending<StockItem>;
export type OnMove = (item: Row, action: Action) => void;

interface Props {
  item: Row;
  /** Its position among the filtered rows. */
  position: number;
  /** Whether deliveries are booked here; GPM schedules them, which needs a connection. */
  delivers: boolean;
  transfers: boolean;
  /** Null for those who may only look. */
  onMove: OnMove | null;
  measure: Measure;
}

/** Amounts and prices that leave no room for the actions beside them on a phone. */
const isBig = ({ booked, unitPrice }: Row) => booked > 99_999 || unitPrice > 999_999;

function Amount({ item: { amount, change, booked, unit } }: { item: Row }) {
  return (
    <td role="cell" className="num amount">
      {formatNumber(amount)}
      {unit !== "pcs" && <span className="unit"> {unit}</span>}
      {change !== 0 && (
        <span className="unit unsent-change"> {describeChange(booked, change)}</span>
      )}
    </td>
  );
}

function Actions({
  item,
  delivers,
  transfers,
  onMove,
}: Pick<Props, "item" | "delivers" | "transfers"> & { onMove: OnMove }) {
  const { name } = item;
  return (
    <td role="cell" className="acts">
      <button
        type="button"
        className="btn sign"
        aria-label={`Withdraw ${name}`}
        onClick={() => onMove(item, "withdrawal")}
      >
        −
      </button>{" "}
      {delivers && (
        <button
          type="button"
          className="btn sign"
          aria-label={`Deliver ${name}`}
          onClick={() => onMove(item, "delivery")}
        >
          +
        </button>
      )}{" "}
      {transfers && <Menu item={item} onMove={onMove} />}
    </td>
  );
}

function Menu({ item, onMove }: { item: Row; onMove: OnMove }) {
  const menu = useRef<HTMLDivElement>(null);
  const id = `m${item.id}`;
  const transfer = (event: MouseEvent) => {
    event.preventDefault();
    // Closing it gives the focus to its button, to which the dialog returns it.
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
    onMove(item, "transfer");
  };
  return (
    <>
      <button type="button" className="btn etc" popoverTarget={id} aria-label="Actions">
        ⋯
      </button>
      <div className="drop" id={id} popover="auto" ref={menu}>
        <button type="button" className="btn" onClick={transfer}>
          Transfer
        </button>
      </div>
    </>
  );
}

export const StockRow = memo(function StockRow(props: Props) {
  const { item, position, delivers, transfers, onMove, measure } = props;
  const { name, category, unitPrice } = item;
  return (
    <tr
      role="row"
      ref={measure}
      data-index={position}
      aria-rowindex={position + 2}
      className={isBig(item) ? "big" : undefined}
    >
      <th role="rowheader" scope="row">
        {name}
      </th>
      <Amount item={item} />
      <td role="cell" className="cat">
        {category}
      </td>
      <td role="cell" className="num price">
        {formatPence(unitPrice)}
      </td>
      {onMove && <Actions item={item} delivers={delivers} transfers={transfers} onMove={onMove} />}
    </tr>
  );
});
