/** Which lines are shown while counting. */
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { matching, nameKey } from "../shared/names";
import { differenceOf } from "./line";
import type { CountStore } from "./store";

export interface Shown {
  search: string;
  category: string;
  onlyDifferences: boolean;
}

const ALL: Shown = { search: "", category: "", onlyDifferences: false };

export interface View {
  shown: Shown;
  show: (part: Partial<Shown>) => void;
  showAll: () => void;
  visible: number[];
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
      if (shown.category && store.items[index]?.category !== shown.category) return [];
      if (shown.onlyDifferences && differenceOf(store.line(index)) === 0) return [];
      return matches(key) ? [index] : [];
    });
  }, [store, keys, search, shown.category, shown.onlyDifferences]);
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
        // In a form, Enter would apply the count.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <select aria-label="Category" value={shown.category} onChange={(event) => show({ category: event.target.value })}>
        <option value="">All Categories</option>
        {categories.map((each) => <option key={each}>{each}</option>)}
      </select>
      <label className="check">
        <input type="checkbox" checked={shown.onlyDifferences} onChange={(event) => show({ onlyDifferences: event.target.checked })} /> Only differences
      </label>
    </div>
  );
}
