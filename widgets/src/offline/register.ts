/**
 * Prepares this browser for work without a connection, once a page of a signed-in person has
 * settled: installs the service worker and reads the references. Whatever fails here is tried again
 * with the next page.
 */
import type { Person } from "../outbox/database";
import { isOfStock } from "../shared/stores";
import { CHECKING, divisionOf, namesFor, type ReferenceName, screenAt } from "./addresses";
import { changedAt, watchOwnChanges } from "./own-changes";
import { listReferences, refreshReference } from "./references";
import { readSession } from "./session";

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Returns the reference that a page is shown from, if it has one. */
function nameAt(page: URL, chosen: string): ReferenceName | undefined {
  const screen = screenAt(page);
  return screen ? namesFor(screen, chosen)[0] : undefined;
}

/** Returns the references to keep up to date: of this page, of those opened before, and of the chosen division. */
export function namesToRead(
  person: Person,
  ofPage: ReferenceName | undefined,
  stored: readonly ReferenceName[],
): ReferenceName[] {
  const { chosen } = person;
  const names = [...(ofPage ? [ofPage] : []), ...stored];
  const hasStock = names.some(isOfStock);
  if ((chosen === "gfm" || chosen === "gpm") && !hasStock) names.push(`stock:${chosen}/main`);
  if (CHECKING.includes(chosen)) names.push(`check-form:${chosen}`);
  return [...new Set(names)].filter((name) => person.divisions.includes(divisionOf(name)));
}

/** Reads the references that a person needs; those of stock at once if the person may have changed it since. */
async function read(person: Person): Promise<void> {
  const stored = (await listReferences(person.user)).map(({ name }) => name);
  const stockChangedAt = await changedAt(person.user);
  const ofPage = nameAt(new URL(location.href), person.chosen);
  // One after the other: they are for later, and what the person does now goes first.
  for (const name of namesToRead(person, ofPage, stored)) {
    // This page may show a change that was made before anything watched for it.
    const openedAt = name === ofPage ? performance.timeOrigin : 0;
    const since = isOfStock(name) ? Math.max(stockChangedAt, openedAt) : 0;
    await refreshReference(person.user, name, since);
  }
}

/** Prepares this browser, unless it saves data or has no service workers. */
export async function prepare(): Promise<void> {
  if (savesData() || !("serviceWorker" in navigator)) return;
  const registration: unknown = await navigator.serviceWorker.register("/sw.js");
  if (!registration) return;
  const { person } = await readSession();
  if (!person) return;
  const first = read(person);
  watchOwnChanges(() => read(person), first);
  await first;
}

prepare().catch(() => {
  // The next page tries again.
});
