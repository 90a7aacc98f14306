/**
 * Prepares this browser for work without a connection: at once what moves the stock on the page, and
 * once the browser is idle the service worker and the references. Whatever fails here is tried again
 * with the next page.
 */
import { loadMoves } from "../lists/moves";
import type { Person } from "../outbox/database";
import { isOfStock, STORES, stockName } from "../shared/stores";
import { CHECKING, divisionOf, namesFor, type ReferenceName, screenAt } from "./addresses";
import { fetchContent } from "./move-dialog/content";
import { changedAt, watchOwnChanges } from "./own-changes";
import { listReferences, refreshReference } from "./references";
import { readSession } from "./session";

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** The browser is never idle on some pages: then what the person does has had its time. */
const BUSY_AT_MOST_MS = 3_000;
/** Where the browser doesn't tell when it is idle. */
const SETTLED_AFTER_MS = 500;

/** Resolves once the browser is idle. */
const idle = (): Promise<unknown> =>
  new Promise((done) => {
    if ("requestIdleCallback" in window) requestIdleCallback(done, { timeout: BUSY_AT_MOST_MS });
    else setTimeout(done, SETTLED_AFTER_MS);
  });

/** Loads what moves the stock on the page: its line may be cut at any moment. */
async function loadDialog(): Promise<void> {
  const { moves } = document.querySelector<HTMLElement>("dialog[data-moves]")?.dataset ?? {};
  if (!moves) return;
  const [live, reply] = await Promise.all([loadMoves(moves, async (all) => all), fetchContent()]);
  await live.loadDialog(reply);
}

/** Returns the reference that a page is shown from, if it has one. */
function nameAt(page: URL, chosen: string): ReferenceName | undefined {
  const screen = screenAt(page);
  return screen ? namesFor(screen, chosen)[0] : undefined;
}

/**
 * Returns the references to keep up to date, the most needed first: of this page, of the chosen
 * division, of pages opened before, and of the main sites of the person's other divisions.
 */
export function namesToRead(
  person: Person,
  ofPage: ReferenceName | undefined,
  stored: readonly ReferenceName[],
): ReferenceName[] {
  const { chosen } = person;
  const names: ReferenceName[] = ofPage ? [ofPage] : [];
  names.push(...STORES.filter(({ division }) => division === chosen).map(stockName));
  if (CHECKING.includes(chosen)) names.push(`check-form:${chosen}`);
  names.push(...stored, ...STORES.filter(({ site }) => site === "main").map(stockName));
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

/** Prepares this browser, unless it saves data. */
export async function prepare(): Promise<void> {
  if (savesData()) return;
  loadDialog().catch(() => {});
  await idle();
  if (!("serviceWorker" in navigator)) return;
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
