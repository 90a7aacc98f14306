/** What the page tells the bulk update. */
export interface Props {
  api: string;
  user: number;
  division: string;
  site: string;
  sites: { value: string; label: string }[];
  teams: string[];
  /** The London day, as in 2026-11-21. */
  today: string;
  /** Where an operation's result is read, with {id} in the number's place. */
  said: string;
  /** Where the page leads when there is no dialog to close. */
  back?: string;
}
