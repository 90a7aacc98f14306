/** The props of the bulk update, from its page. */
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
  /** Today's date in London, such as 2026-11-21. */
  today: string;
  /** The address of an operation's result; {id} stands for its number. */
  resultUrl: string;
  /** The page to return to when the widget is not in a dialog. */
  back?: string;
}
