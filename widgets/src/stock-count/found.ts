/** Items found on the shelf that the list doesn't have. */
import { parsePence, parseWhole } from "../shared/money";
import { LARGEST } from "./line";

export interface Found {
  id: string;
  name: string;
  qty: string;
  category: string;
  price: string;
}

let made = 0;

export function newFound(given: Partial<Found> = {}): Found {
  made += 1;
  return {
    id: `${Date.now().toString(36)}-${made}`,
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
  return qty === null || qty > LARGEST ? null : qty;
}

/** Tells whether it has the name and quantity without which it isn't added. */
export function isReady(found: Found): boolean {
  return found.name.trim() !== "" && (quantityOf(found) ?? 0) > 0;
}

export function hasWrongPrice(found: Found): boolean {
  return parsePence(found.price) === null;
}
