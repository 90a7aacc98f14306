/** The request that applies the count. */

import { plural } from "../shared/money";
import type { Patch } from "../shared/ops";
import { isReady, priceOf, quantityOf } from "./found";
import { differenceOf, isApplied } from "./line";
import type { CountStore } from "./store";

/** The request; `targets` has the item or found item of each op. */
export interface Request {
  patch: Patch;
  targets: string[];
  /** How much was counted: '2 lines, 1 found item'. */
  size: string;
}

/** Returns the target of a found item's errors. */
export const foundTarget = (id: string): string => `found:${id}`;

/** Builds the request from differences, lines counted without one, and found items. */
export function requestOf(store: CountStore, today: string): Request {
  const ops: Patch["ops"] = [];
  const targets: string[] = [];
  store.items.forEach(({ item }, index) => {
    const line = store.line(index);
    if (!isApplied(line)) return;
    const difference = differenceOf(line) ?? 0;
    const type = difference < 0 ? "dec" : "inc";
    ops.push({ type, id: item, delta: Math.abs(difference), expected: line.expected });
    targets.push(item);
  });
  const lines = targets.length;
  for (const found of store.found) {
    if (!isReady(found)) continue;
    const unitPrice = priceOf(found) / 100;
    const { name, category } = found;
    const amount = quantityOf(found) ?? 0;
    ops.push({
      type: "add",
      item: { item: name.trim(), amount, category: category.trim(), unitPrice, unit: "pcs" },
    });
    targets.push(foundTarget(found.id));
  }
  const patch: Patch = {
    ops,
    reason: `Stock Check ${today}`,
    team: "Stock Check",
    ts: `${today}T12:00:00`,
  };
  const found = targets.length - lines;
  const size = [
    lines > 0 && plural(lines, "line", "lines"),
    found > 0 && plural(found, "found item", "found items"),
  ];
  return { patch, targets, size: size.filter(Boolean).join(", ") };
}

/** Sorts the server's errors into those of a target and those of the count as a whole. */
export function sortErrors(
  fields: Record<string, string>,
  targets: string[],
): { byTarget: Record<string, string>; whole: string[] } {
  const byTarget: Record<string, string> = {};
  const whole: string[] = [];
  for (const [field, message] of Object.entries(fields)) {
    const target = targets[Number(/^ops\.(\d+)\b/.exec(field)?.[1] ?? -1)];
    if (target === undefined) whole.push(message);
    else byTarget[target] = message;
  }
  return { byTarget, whole };
}
