/** Items found on the shelf that are missing in the list. */
import { parsePence, parseWhole } from "../shared/money";
import { MAX_COUNT } from "./line";

export interface Found {
  id: string;
  name: string;
  qty: string;
  category: string;
  price: string;
}

let count = 0;

export function newFound(given: Partial<Found> = {}): Found {
  count += 1;
  return {
    id: `${Date.now().toString(36)}-${count}`,
    name: "",
    qty: "",
    category: "",
    price: "",
    ...given,
  };
}

export function isBlank({ name, qty, category, price }: Found): boolean {
  return `${name}${qty}${category}${price}`.trim() === "";
}

export function quantityOf(found: Found): number | null {
  const qty = parseWhole(found.qty);
  return qty === null || qty > MAX_COUNT ? null : qty;
}

/** Returns whether it has a name and a quantity; else it is not added. */
export function isReady(found: Found): boolean {
  return found.name.trim() !== "" && (quantityOf(found) ?? 0) > 0;
}

/** Returns its unit price in pence; none is 0. */
export function priceOf(found: Found): number {
  return parsePence(found.price) ?? 0;
}

export function hasWrongPrice(found: Found): boolean {
  return parsePence(found.price) === null;
}
