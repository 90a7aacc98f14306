/** The site's items: for the type-ahead and the preview. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { sayFailure } from "../shared/api";
import { type Item, loadItems, type Place } from "../shared/inventory";
import { nameKey } from "../shared/names";
import { stockOf } from "./lines";

export function useStock({ division, site }: Place) {
  const [items, setItems] = useState<Item[] | null>(null);
  const [failure, setFailure] = useState("");

  const load = useCallback(async () => {
    setFailure("");
    try {
      setItems(await loadItems({ division, site }));
    } catch (error) {
      setFailure(sayFailure(error, "Failed to load inventory", false));
    }
  }, [division, site]);
  useEffect(() => {
    void load();
  }, [load]);

  const offers = useMemo(
    () => (items ?? []).map((each) => ({ ...each, key: nameKey(each.item) })),
    [items],
  );
  const stock = useMemo(() => items && stockOf(items), [items]);
  return { offers, stock, failure, load };
}
