/** The sums of assets by group; groups can be opened, sorted and regrouped. */
import { useEffect, useRef } from "react";
import { formatNumber } from "../shared/money";
import { LoadFailure } from "../shared/widget";
import { Choices } from "./Choices";
import { dimension, direction, limitOf, NOTHING, sortedBy, withoutFilters } from "./choice";
import { useFocusOnNext } from "./focus";
import { GroupRows } from "./GroupRows";
import type { Column, Props } from "./props";
import { SumCells } from "./SumCells";
import { useGroups, type View } from "./useGroups";

export function AssetGroups({ props }: { props: Props }) {
  const view = useGroups(props);
  const { choice, found, requested, failure } = view;
  const first = dimension(choice.by, props.dimensions);
  const count = `${formatNumber(found.total)} ${found.total === 1 ? choice.by : first?.plural}`;
  const status = view.isBusy ? "Loading…" : found.total > 0 && count;
  return (
    <>
      <Choices
        requested={requested}
        dimensions={props.dimensions}
        count={found.groups.length}
        view={view}
      />
      <Limits filters={props.filters} address={withoutFilters(props, requested)} />
      <Failure
        message={failure && !failure.ofMore ? failure.message : ""}
        isBusy={view.isBusy}
        onRetry={view.retry}
      />
      <p className="total" role="status">
        {status}
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
  const limits = Object.entries(filters);
  if (limits.length === 0) return null;
  return (
    <p className="row limits">
      Only assets with{" "}
      {limits.map(([name, text]) => (
        <span className="badge" key={name}>
          {limitOf(name, text)}
        </span>
      ))}{" "}
      <a className="btn" href={address}>
        Reset
      </a>
    </p>
  );
}

interface FailureProps {
  message: string;
  isBusy: boolean;
  onRetry: () => void;
}

function Failure({ message, isBusy, onRetry }: FailureProps) {
  const isRetry = useRef(false);
  useEffect(() => {
    if (!isRetry.current || isBusy) return;
    isRetry.current = false;
    // The button disappeared while the groups were loaded again, and the focus with it.
    if (document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>(message ? ".notice.bad button" : "[aria-sort] button")
      ?.focus();
  }, [message, isBusy]);
  const retry = () => {
    isRetry.current = true;
    onRetry();
  };
  return <LoadFailure message={message} onRetry={retry} />;
}

function GroupTable({ props, view }: { props: Props; view: View }) {
  const { choice, found } = view;
  const first = dimension(choice.by, props.dimensions);
  const then = dimension(choice.then, props.dimensions);
  const table = useRef<HTMLTableElement>(null);
  const focusNext = useFocusOnNext(found.groups.length, (index) => table.current?.tBodies[index]);
  const failed = view.failure?.ofMore ? view.failure.message : "";
  const more = () => {
    focusNext();
    if (failed) view.retry();
    else view.loadMore();
  };
  return (
    <>
      <div className="fit">
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
      </div>
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
  const { requested } = view;
  return (
    <th
      role="columnheader"
      scope="col"
      className={column === "name" ? "" : "num"}
      aria-sort={direction(column, view.choice)}
    >
      <button
        type="button"
        onClick={() => view.choose({ ...requested, sort: sortedBy(column, requested) })}
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
