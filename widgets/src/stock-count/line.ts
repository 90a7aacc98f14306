/** One counted line: what it means, and what it adds to the summary. */
import { parseWhole } from "../shared/money";

/** Stock that changed while it was counted: today's amount (null: the item is gone) and what was decided. */
export interface Moved {
  amount: number | null;
  /** What the line said when the server refused it. */
  was: { expected: number; counted: number };
  choice?: "count" | "difference" | "leave-out";
}

/** A line as it is kept: the text as typed, so that a wrong one survives a reload too. */
export interface Line {
  expected: number;
  counted: string;
  looked: boolean;
  moved?: Moved;
}

export const LARGEST = 999_999_999;

/** Returns the count typed, or null where it isn't a whole number the stock can hold. */
export function countOf(line: Line): number | null {
  const count = parseWhole(line.counted);
  return count === null || count > LARGEST ? null : count;
}

/** Returns counted less expected; null while the count is no number. */
export function differenceOf(line: Line): number | null {
  const count = countOf(line);
  return count === null ? null : count - line.expected;
}

export function isLeftOut(line: Line): boolean {
  return line.moved?.choice === "leave-out";
}

/** Returns what keeping the difference comes to; null where stock would fall below zero. */
export function withDifference({ amount, was }: Moved): number | null {
  const result = (amount ?? 0) + was.counted - was.expected;
  return amount === null || result < 0 || result > LARGEST ? null : result;
}

/** Returns the line as decided. */
export function decided(line: Line, moved: Moved, choice: NonNullable<Moved["choice"]>): Line {
  const settled = { ...line, moved: { ...moved, choice } };
  if (choice === "leave-out" || moved.amount === null) return settled;
  const counted = choice === "count" ? moved.was.counted : withDifference(moved);
  return counted === null ? line : { ...settled, expected: moved.amount, counted: String(counted) };
}

/** The bottom bar's figures. */
export interface Summary {
  differences: number;
  up: number;
  down: number;
  penceUp: number;
  penceDown: number;
  notLooked: number;
  wrong: number;
  undecided: number;
}

export const NOTHING: Summary = {
  differences: 0,
  up: 0,
  down: 0,
  penceUp: 0,
  penceDown: 0,
  notLooked: 0,
  wrong: 0,
  undecided: 0,
};

/** Adds a line to the summary, or with sign −1 takes it out: a keystroke needn't count 3,000 lines. */
export function added(summary: Summary, line: Line, pence: number, sign: 1 | -1): Summary {
  const sum = { ...summary };
  if (line.moved && !line.moved.choice) sum.undecided += sign;
  if (isLeftOut(line)) return sum;
  if (!line.looked) sum.notLooked += sign;
  const difference = differenceOf(line);
  if (difference === null) sum.wrong += sign;
  else if (difference > 0) {
    sum.differences += sign;
    sum.up += sign * difference;
    sum.penceUp += sign * difference * pence;
  } else if (difference < 0) {
    sum.differences += sign;
    sum.down -= sign * difference;
    sum.penceDown -= sign * difference * pence;
  }
  return sum;
}
