/** The lines of a bulk update: their quantities, and a preview of their effect. */
import type { Item } from "../shared/inventory";
import { formatNumber, parseWhole } from "../shared/money";
import { nameKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";

export type Action = Schemas["BulkBody"]["action"];

export interface Line {
  id: string;
  name: string;
  qty: string;
}

export interface Preview {
  before: number | null;
  after: number | null;
  isNew: boolean;
  /** How many lines name this item; their quantities are summed. */
  times: number;
  error: string | null;
}

const MAX_QUANTITY = 999_999_999;
const MAX_NAME_LENGTH = 200;
const NO_PREVIEW: Preview = { before: null, after: null, isNew: false, times: 1, error: null };
let made = 0;

export function newLine(name = "", qty = "1"): Line {
  made += 1;
  return { id: `line-${made}`, name, qty };
}

export function isBlank({ name }: Line): boolean {
  return name.trim() === "";
}

export function quantityOf({ qty }: Line): number | null {
  const quantity = parseWhole(qty);
  return quantity === null || quantity < 1 || quantity > MAX_QUANTITY ? null : quantity;
}

/** Returns the problem of a line's quantity; null without one. */
export function quantityProblem(line: Line): string | null {
  if (quantityOf(line) !== null) return null;
  const typed = line.qty.trim();
  const quantity = parseWhole(typed);
  if (quantity !== null && quantity > MAX_QUANTITY)
    return `Quantity must be at most ${formatNumber(MAX_QUANTITY)}`;
  const isNumber = typed === "" || /^[-−]?\d[\d,]*$/.test(typed);
  return isNumber ? "Quantity must be at least 1" : `"${typed}" is not a whole number`;
}

function missingText(action: Action, name: string): string {
  if (action === "delivery")
    return `Item not found: "${name}" (enable auto-create or add it first)`;
  return `Item not found for ${action}: "${name}"`;
}

export type Stock = Map<string, Item>;

export function stockOf(items: Item[]): Stock {
  return new Map(items.map((each) => [nameKey(each.item), each]));
}

function previewOf(
  line: Line,
  action: Action,
  autoCreate: boolean,
  stock: Stock,
  sum: { total: number; times: number },
): Preview {
  if (isBlank(line)) return NO_PREVIEW;
  const name = line.name.trim();
  const item = stock.get(nameKey(name));
  const { total, times } = sum;
  if (quantityOf(line) === null) return { ...NO_PREVIEW, times };
  if (name.length > MAX_NAME_LENGTH)
    return {
      ...NO_PREVIEW,
      times,
      error: `Item name must be at most ${MAX_NAME_LENGTH} characters`,
    };
  if (!item && action === "delivery" && autoCreate)
    return { before: 0, after: total, isNew: true, times, error: null };
  if (!item) return { ...NO_PREVIEW, times, error: missingText(action, name) };
  const before = item.amount;
  const after = action === "delivery" ? before + total : before - total;
  if (after < 0)
    return {
      ...NO_PREVIEW,
      times,
      error: `Not enough stock: "${item.item}" has ${formatNumber(before)}`,
    };
  return { before, after, isNew: false, times, error: null };
}

/** Returns the preview of each line; null while the stock is loading. */
export function previews(
  lines: Line[],
  action: Action,
  autoCreate: boolean,
  stock: Stock | null,
): (Preview | null)[] {
  if (!stock) return lines.map(() => null);
  const sums = new Map<string, { total: number; times: number }>();
  for (const line of lines) {
    const key = nameKey(line.name);
    const { total, times } = sums.get(key) ?? { total: 0, times: 0 };
    sums.set(key, { total: total + (quantityOf(line) ?? 0), times: times + 1 });
  }
  return lines.map((line) =>
    previewOf(
      line,
      action,
      autoCreate,
      stock,
      sums.get(nameKey(line.name)) ?? { total: 0, times: 1 },
    ),
  );
}

/** Removes the decimals of a whole number: spreadsheets may write 1.0. */
function wholeOf(qty: string): string {
  return qty.replace(/[.]0+$/, "");
}

/** Inserts pasted lines where they were pasted, in place of that line and blank ones after it. */
export function withPasted(
  lines: Line[],
  index: number,
  pasted: { name: string; qty: string }[],
): Line[] {
  let end = index + 1;
  while (end < lines.length && end - index < pasted.length && isBlank(lines[end] as Line)) end += 1;
  const made = pasted.map(({ name, qty }) => newLine(name, wholeOf(qty)));
  return [...lines.slice(0, index), ...made, ...lines.slice(end)];
}
