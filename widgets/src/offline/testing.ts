/** A store's reference and the entries of its person, for tests. */
import { openDatabase } from "../outbox/database";
import type { Entry } from "../outbox/entry";
import { contentOf, moveEntry } from "../outbox/move";
import type { StockReference } from "./references";
import { itemOf, offersOf, storeOf } from "./stock-reference";

export const MAKER = { user: 3, username: "k.lee" };
export const PERSON = { ...MAKER, divisions: ["gfm"], chosen: "gfm", clockOffset: 0 };

export const REFERENCE: StockReference = {
  user: 3,
  division: "gfm",
  divisionLabel: "GFM",
  site: "main",
  siteLabel: "Main",
  today: "2026-11-22",
  back: "/inventory/main",
  teams: ["Kitchen", "Stores"],
  deliveryTeams: ["Stores"],
  withdrawalTeams: ["Kitchen", "Stores"],
  destinations: [
    { value: "guildford", label: "Guildford" },
    { value: "northern", label: "Northern" },
  ],
  rows: [
    [4, "Globe", 0, "Fun", 85, "pcs"],
    [5, "Hand warmer", 79, "", 210, "pcs"],
    [6, "Rope", 12, "Tools", 99, "m"],
  ],
  count: null,
};

/** GPM's store, which has one site and schedules its deliveries. */
export const GPM: StockReference = {
  ...REFERENCE,
  division: "gpm",
  divisionLabel: "GPM",
  back: "/gpm/inventory/main",
  destinations: [],
};

/** Stores what was read of a store, and who is signed in. */
export async function storeReference(value: StockReference, fetchedAt = Date.now()): Promise<void> {
  const database = await openDatabase();
  const name = `stock:${value.division}/${value.site}`;
  await database.put("references", { user: MAKER.user, name, value, etag: "", fetchedAt });
  await database.put("device", PERSON, "person");
}

/** Returns the entry of a dialog on the item with an id, with these fields. */
export function moveOf(
  id: number,
  fields: Record<string, string>,
  reference: StockReference = REFERENCE,
): Entry {
  const row = reference.rows.find(([each]) => each === id) ?? [id, "Gone", 0, "", 0, "pcs"];
  const base = { store: storeOf(reference), item: itemOf(row), offers: offersOf(reference) };
  const form = Object.entries({ action: "withdrawal", quantity: "5", team: "Kitchen", ...fields });
  const quantity = Number(form.find(([name]) => name === "quantity")?.[1]);
  return moveEntry({
    maker: MAKER,
    content: contentOf(base, form, quantity),
    url: `${reference.back}/items/${id}/action`,
    form,
  });
}
