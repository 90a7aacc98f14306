/**
 * The limits of the dialog's fields, with the messages beyond them: the browser's copy of
 * app/stock/rules/item_fields.py, as templates/stock/_move_stock.html has it. A test compares both.
 */
import { formatNumber } from "../../shared/money";

const MAX_QUANTITY = 999_999_999;
const MAX_TEAM = 100;
const EARLIEST = "2000-01-01";

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
    min: EARLIEST,
    "data-low": "Date can't be before 1 Jan 2000.",
    max: today,
    "data-high": "Date can't be in the future.",
  };
}

/** The messages for what is left empty. */
export const MISSING = {
  quantity: QUANTITY["data-low"],
  team: "Team is required",
  destination: "Choose a destination site.",
  date: "Please pick a date.",
};
