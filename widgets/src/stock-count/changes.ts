/** What applying the count changes, for the question that comes first. */
import { isReady, priceOf, quantityOf } from "./found";
import { countOf, differenceOf, isApplied, isLeftOut } from "./line";
import type { CountStore } from "./store";

/** A line that differs, or a found item, whose `expected` is null. */
export interface ChangedLine {
  name: string;
  expected: number | null;
  counted: number;
  pence: bigint;
}

export interface Changes {
  /** Whether there is nothing to apply, not even a line that agrees. */
  isEmpty: boolean;
  differing: number;
  found: number;
  /** How many lines were looked at and agree. */
  agreeing: number;
  netPence: bigint;
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

const unitsOf = ({ expected, counted }: ChangedLine): number => Math.abs(counted - (expected ?? 0));
const worthOf = ({ pence }: ChangedLine): bigint => (pence < 0n ? -pence : pence);

/** Sorts by worth, and lines worth the same by units, the largest first. */
function byWorth(a: ChangedLine, b: ChangedLine): number {
  return Number(worthOf(b) - worthOf(a)) || unitsOf(b) - unitsOf(a);
}

function foundLines(store: CountStore): ChangedLine[] {
  return store.found.filter(isReady).map((found) => {
    const counted = quantityOf(found) ?? 0;
    const pence = BigInt(counted) * BigInt(priceOf(found));
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
    else {
      const pence = BigInt(difference) * BigInt(store.penceOf(index));
      lines.push({ name: item, expected, counted, pence });
    }
  });
  const found = foundLines(store);
  const all = [...lines, ...found].sort(byWorth);
  return {
    isEmpty: all.length + agreeing === 0,
    differing: lines.length,
    found: found.length,
    agreeing,
    netPence: all.reduce((sum, { pence }) => sum + pence, 0n),
    largest: all.slice(0, LARGEST),
    staying,
    unseen,
    emptied,
    stocked,
  };
}
