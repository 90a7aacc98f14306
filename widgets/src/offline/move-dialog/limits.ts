/**
 * The limits of the dialog's fields, with the messages beyond them: the browser's copy of
 * app/stock/rules/item_fields.py, as templates/stock/_move_stock.html has it. A test compares both.
 */
import { EARLIEST_DAY, TOO_EARLY, TOO_LATE } from "../../shared/days";
import { formatNumber } from "../../shared/money";

const MAX_QUANTITY = 999_999_999;
const MAX_TEAM = 100;

export const QUANTITY = {
  "data-min": "1",
  "data-low": "Quantity must be at least 1",
  "data-max": String(MAX_QUANTITY),
  "data-high": `Quantity must be at most ${formatNumber(MAX_QUANTITY)}`,
};
export const TEAM = {
  "data-limit": String(MAX_TEAM),
  "data-high": `Team must be at most ${MAX_TEAM} characters`,
};

/** Returns the limits of a day that isn't after today. */
export function dayUntil(today: string): Record<string, string> {
  return {
    min: EARLIEST_DAY,
    "data-low": TOO_EARLY,
    max: today,
    "data-high": TOO_LATE,
  };
}

/** The messages for what is left empty. */
export const MISSING = {
  quantity: QUANTITY["data-low"],
  team: "Team is required",
  destination: "Choose a destination site.",
  date: "Please pick a date.",
};
