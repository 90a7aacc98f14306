/**
 * The stock list without a connection: what was read of a store, and what is not sent yet. The shell
 * says above it when that was.
 */
import { useCallback, useEffect, useMemo, useRef } from "react";
import { createPortal } from "react-dom";
import type { Action } from "../../outbox/move-content";
import { withPending } from "../../outbox/pending";
import { categoriesIn } from "../../shared/inventory";
import { plural } from "../../shared/money";
import { SearchItems } from "../../shared/SearchItems";
import { stockName } from "../../shared/stores";
import { openMove } from "../move-dialog";
import { openCorrected } from "../move-dialog/tasks";
import type { StockListProps } from "../props";
import { itemOf, offersOf, storeOf } from "../stock-reference";
import { useView } from "./filters";
import type { Row } from "./StockRow";
import { StockTable } from "./StockTable";
import { useUnsent } from "./useUnsent";

/** A link for those who may only look, which templates/components/actions.html has likewise. */
const DISABLED = {
  role: "link",
  tabIndex: 0,
  "aria-disabled": true,
  "aria-describedby": "view-only",
};

export function StockList({ props }: { props: StockListProps }) {
  const { person } = props;
  const { value: reference, fetchedAt } = props.reference;
  const dialog = useRef<HTMLDialogElement>(null);
  const { waiting, sent } = useUnsent(person.user);
  const items = useMemo(() => reference.rows.map(itemOf), [reference]);
  const rows = useMemo(() => {
    const name = stockName(reference);
    return withPending(withPending(items, sent, name), waiting, name);
  }, [items, sent, waiting, reference]);
  const categories = useMemo(() => categoriesIn(items), [items]);
  const { filters, setFilters, reset, visible } = useView(rows);
  const readAt = useMemo(() => new Date(fetchedAt), [fetchedAt]);
  const isFiltered = filters.search !== "" || filters.category !== "";

  const { user, username, clockOffset } = person;
  const onMove = useCallback(
    ({ change, booked, ...item }: Row, action: Action) => {
      if (!dialog.current) return;
      // What was sent since is in the books, which had another amount when they were read.
      const wasRead = items.some(({ id, amount }) => id === item.id && amount === booked);
      void openMove(dialog.current, {
        maker: { user, username },
        store: storeOf(reference),
        item: { ...item, amount: booked },
        change,
        offers: offersOf(reference),
        action,
        chosen: {},
        readAt: wasRead ? readAt : null,
        clockOffset,
        edited: null,
      });
    },
    [reference, items, readAt, user, username, clockOffset],
  );

  useEffect(() => {
    if (dialog.current) void openCorrected(dialog.current, { user, username });
  }, [user, username]);

  return (
    <>
      {reference.viewOnly && (
        <p className="note view-only" id="view-only">
          {reference.viewOnly}
        </p>
      )}
      <div className="head">
        <h1 tabIndex={-1}>
          Inventory <span className="badge">{reference.siteLabel}</span>
        </h1>
        {reference.count && (
          <a
            className="btn"
            {...(reference.viewOnly ? DISABLED : { href: `${reference.back}/count` })}
          >
            Start Stock Check
          </a>
        )}
      </div>
      <div className="strip pinned">
        <div className="filters" role="search" aria-label="Stock">
          <SearchItems
            value={filters.search}
            placeholder="Search items"
            onSearch={(search) => setFilters({ search })}
          />
          <select
            aria-label="Category"
            value={filters.category}
            onChange={(event) => setFilters({ category: event.target.value })}
          >
            <option value="">All Categories</option>
            {filters.category !== "" && !categories.includes(filters.category) && (
              <option>{filters.category}</option>
            )}
            {categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
          {isFiltered && (
            <button type="button" className="btn" onClick={reset}>
              Reset
            </button>
          )}
        </div>
      </div>
      <p className="total" role="status">
        {isFiltered
          ? plural(visible.length, "match", "matches")
          : plural(items.length, "item", "items")}
      </p>
      {visible.length > 0 ? (
        <StockTable
          visible={visible}
          siteLabel={reference.siteLabel}
          delivers={reference.division !== "gpm"}
          transfers={reference.destinations.length > 0}
          onMove={reference.viewOnly ? null : onMove}
        />
      ) : (
        <div className="empty">
          <p>{isFiltered ? "No items match." : "No items in this inventory."}</p>
        </div>
      )}
      {/* Beside the widget, whose fields the page's script leaves alone. */}
      {createPortal(
        <dialog id="dialog" ref={dialog} aria-labelledby="dialog-title" />,
        document.body,
      )}
    </>
  );
}
