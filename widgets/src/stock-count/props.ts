/** What the page tells the stock check. */
import type { Place } from "../shared/inventory";

export interface Props extends Place {
  user: number;
  siteLabel: string;
  /** The London day, as in 2026-11-21. */
  today: string;
  todayText: string;
  back: string;
  sheet: string;
  sheetCsv: string;
  categories?: string[];
}
