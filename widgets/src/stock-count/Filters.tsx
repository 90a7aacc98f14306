/** Filters the lines of the count. */
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { categoriesIn } from "../shared/inventory";
import { matching } from "../shared/names";
import { SearchItems } from "../shared/SearchItems";
import { differenceOf } from "./line";
import type { CountStore } from "./store";

export interface LineFilters {
  search: string;
  /** One of the choices below, or a category behind `CATEGORY`. */
  lines: string;
}

const NO_FILTERS: LineFilters = { search: "", lines: "" };
const DIFFERENT = "different";
const NOT_LOOKED = "not-looked-at";
const CATEGORY = "category:";

export interface View {
  filters: LineFilters;
  setFilters: (part: Partial<LineFilters>) => void;
  reset: () => void;
  visible: number[];
}

function matchesLines(store: CountStore, index: number, lines: string): boolean {
  if (lines === DIFFERENT) return differenceOf(store.line(index)) !== 0;
  if (lines === NOT_LOOKED) return !store.line(index).looked;
  return lines === "" || CATEGORY + store.items[index]?.category === lines;
}

/**
 * Returns the lines that match the filters. 'Only differences' is evaluated when it is chosen, not
 * at every keystroke: a line must not vanish while it is typed in, because its count now agrees.
 */
export function useView(store: CountStore): View {
  const [filters, setFilters] = useState(NO_FILTERS);
  const search = useDeferredValue(filters.search);
  const keys = useSyncExternalStore(store.subscribe, store.searchKeys);
  const visible = useMemo(() => {
    const matches = matching(search);
    return keys.flatMap((key, index) => {
      return matches(key) && matchesLines(store, index, filters.lines) ? [index] : [];
    });
  }, [store, keys, search, filters.lines]);
  return {
    filters,
    setFilters: (part) => setFilters((now) => ({ ...now, ...part })),
    reset: () => setFilters(NO_FILTERS),
    visible,
  };
}

export const categoriesOf = (store: CountStore): string[] => categoriesIn(store.items);

interface Props {
  view: View;
  categories: string[];
  siteLabel: string;
}

export function Filters({ view: { filters, setFilters }, categories, siteLabel }: Props) {
  return (
    <div className="filters pinned" role="search" aria-label="Lines">
      <b className="place">{siteLabel}</b>
      <SearchItems
        value={filters.search}
        placeholder="Search"
        onSearch={(search) => setFilters({ search })}
      />
      <select
        aria-label="Category"
        value={filters.lines}
        onChange={(event) => setFilters({ lines: event.target.value })}
      >
        <option value="">All Categories</option>
        <option value={DIFFERENT}>Only differences</option>
        <option value={NOT_LOOKED}>Not looked at</option>
        <hr />
        {categories.map((each) => (
          <option key={each} value={CATEGORY + each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  );
}
