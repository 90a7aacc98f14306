/** What applying the count changes, for the question that comes first. */
import { isReady, priceOf, quantityOf } from "./found";
import { countOf, differenceOf, isApplied, isLeftOut } from "./line";
import type { CountStore } from "./store";

/** A line that differs, or a found item, whose `expected` is null. */
export interface ChangedLine {
  name: string;
  expected: number | null;
  counted: number;
  pence: number;
}

export interface Changes {
  /** Whether there is nothing to apply, not even a line that agrees. */
  isEmpty: boolean;
  differing: number;
  found: number;
  /** How many lines were looked at and agree. */
  agreeing: number;
  netPence: number;
  /** Those worth most, whichever way. */
  largest: ChangedLine[];
  /** The names of the lines that nobody looked at: those that stay, and those that differ. */
  staying: string[];
  unseen: string[];
  /** How many items go to 0, of those that have stock. */
  emptied: number;
  stocked: number;
}

export const NO_DIFFERENCES = "No differences to apply.";
const LARGEST = 5;

/** Returns by how many units and how much money a line or found item differs. */
const weightOf = ({ expected, counted, pence }: ChangedLine): [number, number] => [
  Math.abs(pence),
  Math.abs(counted - (expected ?? 0)),
];

function byWeight(a: ChangedLine, b: ChangedLine): number {
  const [[pence, units], [otherPence, otherUnits]] = [weightOf(a), weightOf(b)];
  return otherPence - pence || otherUnits - units;
}

function foundLines(store: CountStore): ChangedLine[] {
  return store.found.filter(isReady).map((found) => {
    const counted = quantityOf(found) ?? 0;
    const pence = counted * priceOf(found);
    return { name: found.name.trim(), expected: null, counted, pence };
  });
}

/** Returns what applying the count changes; its lines must be valid and decided. */
export function changesOf(store: CountStore): Changes {
  const lines: ChangedLine[] = [];
  const staying: string[] = [];
  const unseen: string[] = [];
  let agreeing = 0;
  let emptied = 0;
  let stocked = 0;
  store.items.forEach(({ item }, index) => {
    const line = store.line(index);
    if (isLeftOut(line)) return;
    const { expected, looked } = line;
    const difference = differenceOf(line) ?? 0;
    const counted = countOf(line) ?? 0;
    if (!looked) (difference === 0 ? staying : unseen).push(item);
    if (expected > 0) stocked += 1;
    if (expected > 0 && counted === 0) emptied += 1;
    if (!isApplied(line)) return;
    if (difference === 0) agreeing += 1;
    else lines.push({ name: item, expected, counted, pence: difference * store.penceOf(index) });
  });
  const found = foundLines(store);
  const all = [...lines, ...found].sort(byWeight);
  return {
    isEmpty: all.length + agreeing === 0,
    differing: lines.length,
    found: found.length,
    agreeing,
    netPence: all.reduce((sum, { pence }) => sum + pence, 0),
    largest: all.slice(0, LARGEST),
    staying,
    unseen,
    emptied,
    stocked,
  };
}
