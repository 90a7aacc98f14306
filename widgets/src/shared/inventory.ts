/** The items of a site as the stock API gives them. */
import { call } from "./api";

export interface Item {
  item: string;
  amount: number;
  category: string;
  /** Pounds. */
  unitPrice: number;
  unit: string;
}

/** Loads all items of a site. */
export async function loadItems(api: string): Promise<Item[]> {
  const items = await call<Partial<Item>[]>("GET", api);
  return items.map((each) => ({
    item: each.item ?? "",
    amount: each.amount ?? 0,
    category: each.category ?? "",
    unitPrice: Number(each.unitPrice ?? 0),
    unit: each.unit ?? "pcs",
  }));
}
