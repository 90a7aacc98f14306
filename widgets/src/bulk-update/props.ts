/** What the page tells the bulk update. */
import type { Place } from "../shared/inventory";
import type { Schemas } from "../shared/openapi";

export type Site = Schemas["TransferBody"]["destination"];

export interface SiteChoice {
  value: Site;
  label: string;
}

export interface Props extends Place {
  user: number;
  sites: SiteChoice[];
  teams: string[];
  /** The London day, as in 2026-11-21. */
  today: string;
  /** Where an operation's result is read, with {id} in the number's place. */
  said: string;
  /** Where the page leads when there is no dialog to close. */
  back?: string;
}
