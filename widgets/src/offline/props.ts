/** What the shell hands over to the screens that it shows. */
import type { Person } from "../outbox/database";
import type { CheckFormReference, Loaded, StockReference } from "./references";

/** What every screen gets: from what it is shown, and to whom. */
export interface OfflineProps<Value> {
  reference: Loaded<Value>;
  person: Person;
}

export type StockListProps = OfflineProps<StockReference>;

/** The stock check gets the props of its page beside these. */
export type StockCountOfflineProps = OfflineProps<StockReference> &
  NonNullable<StockReference["count"]>;

/** The check form gets the props of its page beside these. */
export type CheckFormOfflineProps = OfflineProps<CheckFormReference> & CheckFormReference["props"];
