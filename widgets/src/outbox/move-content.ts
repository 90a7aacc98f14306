/** What an entry of the kind `move` keeps, so that its dialog can be shown again. */

export type Action = "delivery" | "withdrawal" | "transfer";

export interface SiteChoice {
  value: string;
  label: string;
}

/** A division's stock at one site. */
export interface MovedStore {
  division: "gfm" | "gpm";
  site: string;
  /** The address of its list, such as '/inventory/main'. */
  address: string;
  /** Such as 'GFM Main'. */
  label: string;
}

/** An item as its dialog shows it. */
export interface MovedItem {
  id: number;
  name: string;
  amount: number;
  unit: string;
  /** In pence; null where it isn't known. */
  unitPrice: number | null;
}

/** What the dialog offers for a choice. */
export interface MoveOffers {
  teams: string[];
  deliveryTeams: string[];
  withdrawalTeams: string[];
  destinations: SiteChoice[];
}

export interface MoveContent {
  store: MovedStore;
  item: MovedItem;
  offers: MoveOffers;
  action: Action;
  quantity: number;
  /** The site that a transfer goes to; '' otherwise. */
  destination: string;
  /** The fields of the dialog by name, as they were filled in. */
  fields: Record<string, string>;
}
