/** The site's items, for the type-ahead and the preview. */
import { useCallback, useMemo } from "react";
import { loadItems, type Place } from "../shared/inventory";
import { nameKey } from "../shared/names";
import { useLoad } from "../shared/useLoad";
import { stockOf } from "./lines";

export function useStock({ division, site }: Place) {
  const fetchItems = useCallback(() => loadItems({ division, site }), [division, site]);
  const { data: items, failure, load } = useLoad(fetchItems, "Failed to load inventory");
  const offers = useMemo(
    () => (items ?? []).map((item) => ({ ...item, key: nameKey(item.item) })),
    [items],
  );
  const stock = useMemo(() => items && stockOf(items), [items]);
  return { offers, stock, failure, load };
}
