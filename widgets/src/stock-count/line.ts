/** One counted line: its difference, and its part in the summary. */
import { parseWhole } from "../shared/money";

/** A decision about a line whose stock has changed: keep the count or the difference, or skip it. */
export type Resolution = "count" | "difference" | "leave-out";

/** How a line's stock changed while it was counted. */
export interface StaleAmount {
  /** The present amount; null when the item was removed. */
  amount: number | null;
  /** The line's figures when the server refused them. */
  was: { expected: number; counted: number };
  choice?: Resolution;
}

/** A line as it is saved: with the text typed, so that an error survives a reload. */
export interface CountLine {
  expected: number;
  counted: string;
  looked: boolean;
  moved?: StaleAmount;
}

export const MAX_COUNT = 999_999_999;

/** Returns the count; null when the text is not a whole number, or too large. */
export function countOf(line: CountLine): number | null {
  const count = parseWhole(line.counted);
  return count === null || count > MAX_COUNT ? null : count;
}

/** Returns counted minus expected; null when the count is not a number. */
export function differenceOf(line: CountLine): number | null {
  const count = countOf(line);
  return count === null ? null : count - line.expected;
}

export function isLeftOut(line: CountLine): boolean {
  return line.moved?.choice === "leave-out";
}

/** Returns whether a line is applied: it differs, or was looked at and agrees. */
export function isApplied(line: CountLine): boolean {
  const difference = differenceOf(line);
  return difference !== null && !isLeftOut(line) && (difference !== 0 || line.looked);
}

/** Returns the count that keeps the difference; null when it would be below zero or too large. */
export function withDifference({ amount, was }: StaleAmount): number | null {
  const result = (amount ?? 0) + was.counted - was.expected;
  return amount === null || result < 0 || result > MAX_COUNT ? null : result;
}

/** Returns the line after the user's decision. */
export function resolveStale(line: CountLine, moved: StaleAmount, choice: Resolution): CountLine {
  const resolved = { ...line, moved: { ...moved, choice } };
  if (choice === "leave-out" || moved.amount === null) return resolved;
  const counted = choice === "count" ? moved.was.counted : withDifference(moved);
  return counted === null
    ? line
    : { ...resolved, expected: moved.amount, counted: String(counted) };
}

/** The figures of the bottom bar. */
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

export const EMPTY_SUMMARY: Summary = {
  differences: 0,
  up: 0,
  down: 0,
  penceUp: 0,
  penceDown: 0,
  notLooked: 0,
  wrong: 0,
  undecided: 0,
};

/** Adds a line to the summary, or subtracts it, so that a keystroke need not add up 3,000 lines. */
export function addToSummary(
  summary: Summary,
  line: CountLine,
  pence: number,
  sign: 1 | -1,
): Summary {
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
