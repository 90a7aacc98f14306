/** The filters of the offline stock list, which begin with those of the live list's address. */
import { useDeferredValue, useMemo, useState } from "react";
import { matching, nameKey } from "../../shared/names";
import type { StockItem } from "../stock-reference";

export interface StockFilters {
  search: string;
  category: string;
}

export interface View<Item> {
  filters: StockFilters;
  setFilters: (part: Partial<StockFilters>) => void;
  reset: () => void;
  visible: Item[];
}

const NO_FILTERS: StockFilters = { search: "", category: "" };

function filtersOf(query: URLSearchParams): StockFilters {
  return { search: query.get("q") ?? "", category: query.get("category") ?? "" };
}

/** Returns the items that match the filters, in their order. */
export function useView<Item extends StockItem>(items: Item[]): View<Item> {
  const [filters, setFilters] = useState(() => filtersOf(new URLSearchParams(location.search)));
  const search = useDeferredValue(filters.search);
  const { category } = filters;
  const keys = useMemo(() => items.map(({ name }) => nameKey(name)), [items]);
  const visible = useMemo(() => {
    const matches = matching(search);
    return items.filter(
      (item, index) =>
        matches(keys[index] ?? "") && (category === "" || item.category === category),
    );
  }, [items, keys, search, category]);
  return {
    filters,
    setFilters: (part) => setFilters((now) => ({ ...now, ...part })),
    reset: () => setFilters(NO_FILTERS),
    visible,
  };
}
