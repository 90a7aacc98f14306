/** The stock of a site with what a person has not sent yet; pure. */

import { formatNumber } from "../shared/money";
import { nameKey } from "../shared/names";
import { isRecord } from "../shared/requests";
import { stockName } from "../shared/stores";
import type { Entry } from "./entry";
import type { MoveContent } from "./move-content";

/** An item of a site, as the reference has it. */
export interface Stocked {
  id: number;
  name: string;
  amount: number;
}

/** An item with its amount after what is not sent yet, that change, and the amount without it. */
export type WithPending<Row extends Stocked> = Row & { change: number; booked: number };

/** The changes of amounts that are not sent yet, of items by id and by the key of their name. */
export interface Pending {
  byId: ReadonlyMap<number, number>;
  byName: ReadonlyMap<string, number>;
}

function add<Key>(sums: Map<Key, number>, key: Key, change: number): void {
  sums.set(key, (sums.get(key) ?? 0) + change);
}

function addMove(
  { action, quantity, store, item, destination }: MoveContent,
  subject: string,
  byId: Map<number, number>,
  byName: Map<string, number>,
): void {
  const { division } = store;
  if (stockName(store) === subject)
    add(byId, item.id, action === "delivery" ? quantity : -quantity);
  else if (action === "transfer" && stockName({ division, site: destination }) === subject)
    add(byName, nameKey(item.name), quantity);
}

/** Adds the operations of a stock check, whose deltas are based on what was shown. */
function addCount(json: unknown, byName: Map<string, number>): void {
  const ops = isRecord(json) && Array.isArray(json.ops) ? json.ops : [];
  for (const { type, id, delta } of ops) {
    if (type === "inc") add(byName, nameKey(id), delta);
    else if (type === "dec") add(byName, nameKey(id), -delta);
  }
}

/** Returns how the entries that are not sent yet change a store, such as 'stock:gfm/main'. */
export function pendingOf(entries: readonly Entry[], subject: string): Pending {
  const byId = new Map<number, number>();
  const byName = new Map<string, number>();
  for (const { kind, content, request, subject: of } of entries) {
    if (kind === "move") addMove(content as MoveContent, subject, byId, byName);
    else if (kind === "count" && of === subject) addCount(request.json, byName);
  }
  return { byId, byName };
}

/** Returns by how much the entries change the amount of an item. */
export function changeOf({ byId, byName }: Pending, id: number, name: string): number {
  return (byId.get(id) ?? 0) + (byName.get(nameKey(name)) ?? 0);
}

/**
 * Returns the amount that should be on the shelf: what the books have, and what is not sent yet. It is
 * at least 0: the books may be old, and what they lack is found when an entry arrives.
 */
export function afterChange(booked: number, change: number): number {
  return Math.max(0, booked + change);
}

/** Returns the rows of a store with the amounts that they have once the entries are sent. */
export function withPending<Row extends Stocked>(
  rows: readonly Row[],
  entries: readonly Entry[],
  subject: string,
): WithPending<Row>[] {
  const pending = pendingOf(entries, subject);
  const isEmpty = pending.byId.size + pending.byName.size === 0;
  return rows.map((row) => {
    const change = isEmpty ? 0 : changeOf(pending, row.id, row.name);
    return { ...row, amount: afterChange(row.amount, change), change, booked: row.amount };
  });
}

/** Returns in words what is not sent yet: '5 taken not sent yet'. */
export function unsentText(change: number): string {
  return `${formatNumber(Math.abs(change))} ${change < 0 ? "taken" : "added"} not sent yet`;
}

/** Returns what the books have and what is not sent yet: '124 in the books, 5 taken not sent yet'. */
export function describeChange(booked: number, change: number): string {
  return `${formatNumber(booked)} in the books, ${unsentText(change)}`;
}
