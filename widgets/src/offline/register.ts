/**
 * Prepares this browser for work without a connection, once a page of a signed-in person has
 * settled: installs the service worker and reads the references. Whatever fails here is tried again
 * with the next page.
 */
import type { Person } from "../outbox/database";
import { CHECKING, divisionOf, namesFor, type ReferenceName, screenAt } from "./addresses";
import { listReferences, refreshReference } from "./references";
import { readSession } from "./session";

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Returns the references to keep up to date: of this page, of those opened before, and of the chosen division. */
export function namesToRead(
  person: Person,
  page: URL,
  stored: readonly ReferenceName[],
): ReferenceName[] {
  const { chosen } = person;
  const screen = screenAt(page);
  const ofPage = screen ? namesFor(screen, chosen).slice(0, 1) : [];
  const names = [...ofPage, ...stored];
  const hasStock = names.some((name) => name.startsWith(`stock:${chosen}/`));
  if ((chosen === "gfm" || chosen === "gpm") && !hasStock) names.push(`stock:${chosen}/main`);
  if (CHECKING.includes(chosen)) names.push(`check-form:${chosen}`);
  return [...new Set(names)].filter((name) => person.divisions.includes(divisionOf(name)));
}

/** Prepares this browser, unless it saves data or has no service workers. */
export async function prepare(): Promise<void> {
  if (savesData() || !("serviceWorker" in navigator)) return;
  const registration: unknown = await navigator.serviceWorker.register("/sw.js");
  if (!registration) return;
  const { person } = await readSession();
  if (!person) return;
  const stored = await listReferences(person.user);
  const names = namesToRead(
    person,
    new URL(location.href),
    stored.map(({ name }) => name),
  );
  // One after the other: they are for later, and what the person does now goes first.
  for (const name of names) await refreshReference(person.user, name);
}

prepare().catch(() => {
  // The next page tries again.
});
