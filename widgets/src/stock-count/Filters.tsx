/** Which lines are shown while counting. */
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { matching, nameKey } from "../shared/names";
import { differenceOf } from "./line";
import type { CountStore } from "./store";

export interface Shown {
  search: string;
  /** A category, or one of the views below. */
  lines: string;
}

const ALL: Shown = { search: "", lines: "" };
const DIFFERENT = "\u0000different";
const NOT_LOOKED = "\u0000not looked at";

export interface View {
  shown: Shown;
  show: (part: Partial<Shown>) => void;
  showAll: () => void;
  visible: number[];
}

function isAmong(store: CountStore, index: number, lines: string): boolean {
  if (lines === DIFFERENT) return differenceOf(store.line(index)) !== 0;
  if (lines === NOT_LOOKED) return !store.line(index).looked;
  return lines === "" || store.items[index]?.category === lines;
}

/**
 * Returns the lines to show. Which lines differ is looked up when the filter is chosen, not as
 * one types: a line must not vanish from under the fingers because its count now agrees.
 */
export function useView(store: CountStore): View {
  const [shown, setShown] = useState(ALL);
  const search = useDeferredValue(shown.search);
  const edition = useSyncExternalStore(store.subscribe, store.currentEdition);
  const keys = useMemo(() => store.items.map(({ item }) => nameKey(item)), [store, edition]);
  const visible = useMemo(() => {
    const matches = matching(search);
    return keys.flatMap((key, index) => {
      return matches(key) && isAmong(store, index, shown.lines) ? [index] : [];
    });
  }, [store, keys, search, shown.lines]);
  const show = (part: Partial<Shown>) => setShown((now) => ({ ...now, ...part }));
  return { shown, show, showAll: () => setShown(ALL), visible };
}

export function categoriesOf(store: CountStore): string[] {
  const all = new Set(store.items.map(({ category }) => category));
  return [...all].filter(Boolean).sort((a, b) => a.localeCompare(b, "en-GB"));
}

interface Props {
  view: View;
  categories: string[];
}

export function Filters({ view: { shown, show }, categories }: Props) {
  return (
    <div className="filters" role="search" aria-label="Lines">
      <input
        type="search"
        aria-label="Search items"
        placeholder="Search items"
        autoComplete="off"
        enterKeyHint="search"
        value={shown.search}
        onChange={(event) => show({ search: event.target.value })}
      />
      <select
        aria-label="Category"
        value={shown.lines}
        onChange={(event) => show({ lines: event.target.value })}
      >
        <option value="">All Categories</option>
        <option value={DIFFERENT}>Only differences</option>
        <option value={NOT_LOOKED}>Not looked at</option>
        <hr />
        {categories.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </div>
  );
}
