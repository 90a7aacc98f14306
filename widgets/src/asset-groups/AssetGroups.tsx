/** What groups of assets come to: opens, sorts and groups them by something else. */
import { useEffect, useRef } from "react";
import { formatNumber } from "../shared/money";
import { Choices } from "./Choices";
import { dimension, direction, NOTHING, sortedBy, withoutFilters } from "./choice";
import { useFocusOnNext } from "./focus";
import { GroupRows } from "./GroupRows";
import type { Column, Props } from "./props";
import { SumCells } from "./SumCells";
import { useGroups, type View } from "./useGroups";

export function AssetGroups({ props }: { props: Props }) {
  const view = useGroups(props);
  const { choice, found, asked, failure } = view;
  const first = dimension(choice.by, props.dimensions);
  const count = `${formatNumber(found.total)} ${found.total === 1 ? choice.by : first?.plural}`;
  const told = view.isBusy ? "Loading…" : found.total > 0 && count;
  return (
    <>
      <Choices
        asked={asked}
        dimensions={props.dimensions}
        count={found.groups.length}
        view={view}
      />
      <Limits filters={props.filters} address={withoutFilters(props, asked)} />
      <Failure
        message={failure && !failure.ofMore ? failure.message : ""}
        isBusy={view.isBusy}
        onAgain={view.tryAgain}
      />
      <p className="total" role="status">
        {told}
      </p>
      {found.total > 0 ? (
        <GroupTable props={props} view={view} />
      ) : (
        <Nothing register={props.register} />
      )}
    </>
  );
}

function Limits({ filters, address }: { filters: Props["filters"]; address: string }) {
  const told = Object.entries(filters);
  if (told.length === 0) return null;
  return (
    <p className="row limits">
      Only assets with{" "}
      {told.map(([name, text]) => (
        <span className="badge" key={name}>
          {name === "q" ? "Search" : name[0]?.toUpperCase() + name.slice(1)}: {text}
        </span>
      ))}{" "}
      <a className="btn" href={address}>
        Reset
      </a>
    </p>
  );
}

function Failure({
  message,
  isBusy,
  onAgain,
}: {
  message: string;
  isBusy: boolean;
  onAgain: () => void;
}) {
  const again = useRef(false);
  useEffect(() => {
    if (!again.current || isBusy) return;
    again.current = false;
    // The button went while it was tried again, and the focus with it.
    if (document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>(message ? ".notice.bad button" : "[aria-sort] button")
      ?.focus();
  }, [message, isBusy]);
  if (!message) return null;
  return (
    <div className="notice bad row" role="alert">
      <p className="grow">{message}</p>
      <button
        type="button"
        className="btn"
        onClick={() => {
          again.current = true;
          onAgain();
        }}
      >
        Try again
      </button>
    </div>
  );
}

function GroupTable({ props, view }: { props: Props; view: View }) {
  const { choice, found } = view;
  const first = dimension(choice.by, props.dimensions);
  const then = dimension(choice.then, props.dimensions);
  const table = useRef<HTMLTableElement>(null);
  const follow = useFocusOnNext(found.groups.length, (index) => table.current?.tBodies[index]);
  const failed = view.failure?.ofMore ? view.failure.message : "";
  const more = () => {
    follow();
    if (failed) view.tryAgain();
    else view.more();
  };
  return (
    <>
      <table ref={table} className="table cards groups" role="table" aria-busy={view.isBusy}>
        <caption className="sr">
          Assets by {choice.by}
          {choice.then !== NOTHING && `, then by ${choice.then}`}
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            <Head column="name" name={first?.label ?? ""} view={view} />
            <th role="columnheader" scope="col" className="num wide">
              Assets
            </th>
            <Head column="quantity" name="Quantity" view={view} />
            <Head column="value" name="Value" view={view} />
          </tr>
        </thead>
        {found.groups.map((group) => (
          <GroupRows
            key={group.name}
            group={group}
            then={then?.value ?? ""}
            props={props}
            view={view}
          />
        ))}
        <tfoot role="rowgroup">
          <tr role="row">
            <th role="rowheader" scope="row">
              Total
            </th>
            <SumCells sums={found.sums} />
          </tr>
        </tfoot>
      </table>
      {found.groups.length < found.total && (
        <div className="pager">
          {failed ? (
            <p className="error" role="alert">
              {failed}
            </p>
          ) : (
            <p>
              Showing {formatNumber(found.groups.length)} of {formatNumber(found.total)}
            </p>
          )}
          <button type="button" className="btn" onClick={more}>
            {failed ? "Try again" : "Show more"}
          </button>
        </div>
      )}
    </>
  );
}

function Head({ column, name, view }: { column: Column; name: string; view: View }) {
  const { asked } = view;
  return (
    <th
      role="columnheader"
      scope="col"
      className={column === "name" ? "" : "num"}
      aria-sort={direction(column, view.choice)}
    >
      <button
        type="button"
        className="sort"
        onClick={() => view.choose({ ...asked, sort: sortedBy(column, asked) })}
      >
        {name}
      </button>
    </th>
  );
}

function Nothing({ register }: { register: string }) {
  return (
    <div className="empty">
      <p>No assets found.</p>
      <a className="btn" href={register}>
        Assets
      </a>
    </div>
  );
}
