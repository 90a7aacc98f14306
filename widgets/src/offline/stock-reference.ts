/** What the dialogs take from the reference of a store. */
import type { MovedItem, MovedStore, MoveOffers } from "../outbox/move-content";
import type { StockReference } from "./references";

/** An item of the reference. */
export interface StockItem extends MovedItem {
  unitPrice: number;
  category: string;
}

export function itemOf(row: StockReference["rows"][number]): StockItem {
  const [id, name, amount, category, unitPrice, unit] = row;
  return { id, name, amount, category, unitPrice, unit };
}

export function storeOf(reference: StockReference): MovedStore {
  const { division, divisionLabel, site, siteLabel, back } = reference;
  return { division, site, address: back, label: `${divisionLabel} ${siteLabel}` };
}

/** Returns what the dialog offers. */
export function offersOf(reference: StockReference): MoveOffers {
  const { teams, deliveryTeams, withdrawalTeams, destinations } = reference;
  return { teams, deliveryTeams, withdrawalTeams, destinations };
}
