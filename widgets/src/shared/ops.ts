/**
 * Applies operations to a whole list, for networks that refuse PATCH. It is the browser's copy of
 * app/stock/rules/patches.py: keep the two in step.
 */
import { ApiError } from "./api";
import type { Item } from "./inventory";
import { formatNumber } from "./money";
import { nameKey } from "./names";
import type { Schemas } from "./openapi";

type Op = Schemas["OpBody"];

/** A patch as we send it: what is unknown is left out, never null. */
export type Patch = Schemas["PatchBody"] & { reason?: string; team?: string };

const MAX_AMOUNT = 999_999_999;

function refuse(index: number, status: number, message: string): never {
  throw new ApiError(status, message, { [`ops.${index}`]: message }, null);
}

const nameOf = ({ id, item }: Op): string => item?.item ?? id ?? "";

/** Throws a conflict that names the operations whose expected amount is out of date. */
function checkExpected(ops: Op[], present: ReadonlyMap<string, Item>): void {
  const stale = ops.flatMap((op) => {
    const item = present.get(nameKey(nameOf(op)));
    const { expected } = op;
    if (expected === undefined || expected === null || (op.type === "add" && item)) return [];
    const amount = item?.amount ?? null;
    return amount === expected ? [] : [{ id: nameOf(op), expected, amount }];
  });
  const [first] = stale;
  if (!first) return;
  const now =
    first.amount === null
      ? "is no longer in stock"
      : `has ${formatNumber(first.amount)} now, not ${formatNumber(first.expected)}`;
  const one = `Stock changed meanwhile: "${first.id}" ${now}.`;
  const error =
    stale.length === 1
      ? one
      : `The stock of ${formatNumber(stale.length)} items changed meanwhile.`;
  throw new ApiError(409, error, {}, {
    error,
    code: "stale_amounts",
    moved: stale,
  } satisfies Omit<Schemas["PatchConflictReply"], "requestId">);
}

function withAmount(item: Item, amount: number, index: number): Item {
  if (amount < 0)
    refuse(index, 409, `Not enough stock: "${item.item}" has ${formatNumber(item.amount)}`);
  if (amount > MAX_AMOUNT)
    refuse(
      index,
      409,
      `"${item.item}" would have ${formatNumber(amount)}. An item has 0 to ${formatNumber(MAX_AMOUNT)}.`,
    );
  return { ...item, amount };
}

/** Returns the item that an addition creates or changes. */
function added(op: Op, item: Item | undefined, index: number): Item {
  const given = op.item ?? refuse(index, 422, "An op of type add needs item.");
  const { category = "", unitPrice = 0, unit = "" } = given;
  if (!item) return { ...given, category, unitPrice, unit };
  if (op.expected !== item.amount)
    refuse(index, 409, `Name already exists: "${item.item}" has ${formatNumber(item.amount)}.`);
  return { ...item, amount: given.amount, category: category || item.category, unitPrice };
}

/** Returns the list with all operations applied; throws ApiError, as the server would refuse them. */
export function applied(items: Item[], ops: Op[]): Item[] {
  const list = new Map(items.map((item) => [nameKey(item.item), item]));
  // If only the server distinguishes two names, the list would lose one of the items.
  if (list.size < items.length) throw new ApiError(409, "", {}, null);
  checkExpected(ops, list);
  /** The keys of names that no further operation may use. */
  const settled = new Set<string>();
  ops.forEach((op, index) => {
    const name = nameOf(op);
    const key = nameKey(name);
    if (settled.has(key))
      refuse(index, 409, `"${name}" is added, renamed or removed by another op.`);
    const item = list.get(key);
    if (op.type === "add") {
      settled.add(key);
      list.set(key, added(op, item, index));
      return;
    }
    if (!item) refuse(index, 422, `Item not found: "${name}"`);
    if (op.type === "remove") {
      settled.add(key);
      list.delete(key);
    } else if (op.type === "set") {
      if (op.data?.amount !== undefined && typeof op.expected !== "number")
        refuse(index, 422, "Must be the amount that this set is based on.");
      const changed = { ...item, ...op.data };
      const newKey = nameKey(changed.item);
      if (newKey !== key && list.has(newKey))
        refuse(index, 409, `Name already exists: "${list.get(newKey)?.item}"`);
      if (op.data?.item !== undefined) settled.add(key).add(newKey);
      list.delete(key);
      list.set(newKey, withAmount(changed, changed.amount, index));
    } else {
      const delta = op.delta ?? 0;
      list.set(key, withAmount(item, item.amount + (op.type === "inc" ? delta : -delta), index));
    }
  });
  return [...list.values()];
}
