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

/** The changes of a store's amounts that are not sent yet. */
export class Pending {
  private readonly sums = new Map<number | string, number>();

  /** Adds the change of an item, by its id or its name. */
  add(item: number | string, change: number): void {
    const key = typeof item === "number" ? item : nameKey(item);
    this.sums.set(key, (this.sums.get(key) ?? 0) + change);
  }

  /** Returns by how much the amount of an item changes. */
  of(id: number, name: string): number {
    if (this.sums.size === 0) return 0;
    return (this.sums.get(id) ?? 0) + (this.sums.get(nameKey(name)) ?? 0);
  }
}

function addMove(pending: Pending, { content, subject }: Entry, name: string): void {
  const { action, quantity, store, item, destination } = content as MoveContent;
  const { division } = store;
  if (subject === name) pending.add(item.id, action === "delivery" ? quantity : -quantity);
  else if (action === "transfer" && stockName({ division, site: destination }) === name)
    pending.add(item.name, quantity);
}

/** Adds the operations of a stock check, whose deltas are based on what was shown. */
function addCount(pending: Pending, { request: { json }, subject }: Entry, store: string): void {
  if (subject !== store || !isRecord(json) || !Array.isArray(json.ops)) return;
  for (const { type, id, delta } of json.ops) {
    if (type === "inc") pending.add(id, delta);
    else if (type === "dec") pending.add(id, -delta);
  }
}

/** Returns how the entries that are not sent yet change a store, such as 'stock:gfm/main'. */
export function pendingOf(entries: readonly Entry[], store: string): Pending {
  const pending = new Pending();
  for (const entry of entries) {
    if (entry.kind === "move") addMove(pending, entry, store);
    else if (entry.kind === "count") addCount(pending, entry, store);
  }
  return pending;
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
  return rows.map((row) => {
    const change = pending.of(row.id, row.name);
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
