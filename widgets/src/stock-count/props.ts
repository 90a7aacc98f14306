/** What the page tells the stock check. */
export interface Props {
  api: string;
  user: number;
  division: string;
  site: string;
  siteLabel: string;
  /** The London day, as in 2026-11-21. */
  today: string;
  todayText: string;
  back: string;
  sheet: string;
  sheetCsv: string;
  categories?: string[];
}
