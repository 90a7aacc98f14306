/** A group and, while it is open, its subgroups. */
import { type ReactNode, type RefObject, useRef } from "react";
import { formatNumber } from "../shared/money";
import { labelOf, NOTHING, registerAddress } from "./choice";
import { useFocusOnNext } from "./focus";
import type { Group, Props as PageProps } from "./props";
import { SumCells } from "./SumCells";
import type { View } from "./useGroups";

interface Props {
  group: Group;
  /** The name of the second level. */
  then: string;
  props: PageProps;
  view: View;
}

export function GroupRows({ group, then, props, view }: Props) {
  const { choice, found } = view;
  const { name } = group;
  const label = labelOf(choice.by, name);
  const subgroups = view.subgroupsOf(name);
  const isOpen = subgroups?.isOpen === true;
  const body = useRef<HTMLTableSectionElement>(null);
  return (
    <tbody role="rowgroup" ref={body} aria-busy={isOpen && subgroups.request !== null}>
      <tr role="row">
        <th role="rowheader" scope="row" aria-label={label}>
          {choice.then !== NOTHING && (
            <button
              type="button"
              className="btn opener"
              aria-expanded={isOpen}
              aria-label={`${label} by ${then}`}
              onClick={() => view.toggle(name)}
            />
          )}
          <a href={registerAddress(props, choice, name)}>{label}</a>
        </th>
        <SumCells sums={group} most={found.most} />
      </tr>
      {isOpen && <SubgroupRows name={name} body={body} props={props} view={view} />}
    </tbody>
  );
}

interface SubgroupProps {
  name: string;
  body: RefObject<HTMLTableSectionElement | null>;
  props: PageProps;
  view: View;
}

function SubgroupRows({ name, body, props, view }: SubgroupProps) {
  const subgroups = view.subgroupsOf(name);
  const rows = subgroups?.found?.groups ?? [];
  const total = subgroups?.found?.total ?? 0;
  const focusNext = useFocusOnNext(rows.length, (index) => body.current?.children[index + 1]);
  const more = () => {
    focusNext();
    view.loadMoreOf(name);
  };
  return (
    <>
      {rows.map((each) => (
        <tr role="row" className="sub" key={each.name}>
          <th role="rowheader" scope="row">
            <a href={registerAddress(props, view.choice, name, each.name)}>
              {labelOf(view.choice.then, each.name)}
            </a>
          </th>
          <SumCells sums={each} most={view.found.most} />
        </tr>
      ))}
      {(subgroups?.failure || rows.length < total) && (
        <Below>
          {subgroups?.failure ? (
            <span className="error" role="alert">
              {subgroups.failure}
            </span>
          ) : (
            `${formatNumber(rows.length)} of ${formatNumber(total)}`
          )}{" "}
          <button type="button" className="btn" onClick={more}>
            {subgroups?.failure ? "Try again" : "Show more"}
            <span className="sr"> of {labelOf(view.choice.by, name)}</span>
          </button>
        </Below>
      )}
      {!subgroups?.failure && !subgroups?.found && (
        <Below>
          <span className="loading" role="status">
            Loading…
          </span>
        </Below>
      )}
    </>
  );
}

function Below({ children }: { children: ReactNode }) {
  return (
    <tr role="row" className="sub more-row">
      <td role="cell" colSpan={4} className="full">
        {children}
      </td>
    </tr>
  );
}
