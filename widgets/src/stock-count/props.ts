/** The props of the stock check, from its page. */
import type { Place } from "../shared/inventory";

export interface Props extends Place {
  user: number;
  siteLabel: string;
  /** Today's date in London, such as 2026-11-21. */
  today: string;
  todayText: string;
  back: string;
  sheet: string;
  sheetCsv: string;
  categories?: string[];
}
