/** The two levels of grouping, and the buttons that open and close all groups. */
import { groupedBy, NOTHING } from "./choice";
import type { Choice, Dimension } from "./props";
import { MAX_OPENED_AT_ONCE, type View } from "./useGroups";

interface LevelProps<Value extends string> {
  label: string;
  value: Value;
  offered: { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

function Level<Value extends string>({ label, value, offered, onChoose }: LevelProps<Value>) {
  return (
    <label className="inline">
      {label}{" "}
      <select value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {offered.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Props {
  requested: Choice;
  dimensions: Dimension[];
  count: number;
  view: View;
}

export function Choices({ requested, dimensions, count, view }: Props) {
  const second = dimensions.filter(({ value }) => value !== requested.by);
  return (
    <form className="filters levels" onSubmit={(event) => event.preventDefault()}>
      <Level
        label="Group by"
        value={requested.by}
        offered={dimensions}
        onChoose={(by) => view.choose(groupedBy(by, requested))}
      />
      <Level
        label="then by"
        value={requested.then}
        offered={[...second, { value: NOTHING, label: "Nothing" }]}
        onChoose={(then) => view.choose({ ...requested, then })}
      />
      {requested.then !== NOTHING && count > 0 && (
        <>
          <button type="button" className="btn" onClick={view.openAll}>
            {count > MAX_OPENED_AT_ONCE ? `Expand first ${MAX_OPENED_AT_ONCE}` : "Expand all"}
          </button>
          <button type="button" className="btn" onClick={view.closeAll}>
            Collapse all
          </button>
        </>
      )}
    </form>
  );
}
