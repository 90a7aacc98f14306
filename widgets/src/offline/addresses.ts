/** The addresses that work without a connection, and the references that they need. */
import type { Place } from "../shared/inventory";
import type { BookingStep } from "../shared/saved-check";
import { type StockName, stockName } from "../shared/stores";

export interface StoreScreen extends Place {
  screen: "list" | "count";
}

export interface CheckScreen {
  screen: "check";
  /** The registration to start with; '' without one. */
  vehicle: string;
  booking: BookingStep | null;
}

/** A screen that works without a connection. */
export type OfflineScreen = StoreScreen | CheckScreen | { screen: "outbox" };

export type CheckName = `check-form:${string}`;
/** The name of a reference: of a store's stock, or of a division's check form. */
export type ReferenceName = StockName | CheckName;

/** The address of the page that is shown without a connection. */
export const SHELL = "/offline";
/** The address of the dialog that moves an item, without one. */
export const MOVE_DIALOG = "/offline/move-stock";

/** The divisions that check vehicles. */
export const CHECKING = ["fleet", "gpm"];

const STORE = /^(\/gpm)?\/inventory(?:\/(main|guildford|northern))?(\/count)?$/;

/** Returns the screen at an address; null for one that needs a connection. */
export function screenAt(url: URL): OfflineScreen | null {
  const path = url.pathname.replace(/(.)\/$/, "$1");
  if (path === "/outbox") return { screen: "outbox" };
  if (path === "/fleetChecks" && !url.searchParams.has("plain")) {
    const [vehicle, number, step] = ["vehicle", "booking", "step"].map(
      (name) => url.searchParams.get(name) ?? "",
    ) as [string, string, string];
    const isStep = /^B-\d+$/.test(number) && (step === "out" || step === "back");
    return { screen: "check", vehicle, booking: isStep ? { number, step } : null };
  }
  const store = STORE.exec(path);
  if (!store || (store[3] && !store[2])) return null;
  return {
    screen: store[3] ? "count" : "list",
    division: store[1] ? "gpm" : "gfm",
    site: store[2] ?? "main",
  };
}

/** Returns the names of the references that a screen can be shown from, the best one first. */
export function namesFor(screen: OfflineScreen, chosen: string): ReferenceName[] {
  if (screen.screen === "outbox") return [];
  if (screen.screen !== "check") return [stockName(screen)];
  const divisions = CHECKING.includes(chosen) ? [chosen, ...CHECKING] : CHECKING;
  return [...new Set(divisions)].map((division): CheckName => `check-form:${division}`);
}

/** Returns the division of a reference. */
export function divisionOf(name: ReferenceName): string {
  return /^[^:]+:([^/]+)/.exec(name)?.[1] ?? "";
}

const DIVISIONS: Record<string, string> = {
  gfm: "GFM",
  gpm: "GPM",
  fleet: "Fleet",
  assets: "Assets",
};

/** Returns what a division is called: 'GFM', 'Fleet'. */
export function divisionLabel(division: string): string {
  return DIVISIONS[division] ?? division;
}

/** Returns the address of the page that is shown from a reference. */
export function pageOf(name: ReferenceName): string {
  const [, division, site] = /^stock:([^/]+)\/(.+)$/.exec(name) ?? [];
  if (!site) return "/fleetChecks";
  return `${division === "gpm" ? "/gpm" : ""}/inventory/${site}`;
}

/** Returns the address from which a reference is read. */
export function sourceOf(name: ReferenceName): string {
  return `${pageOf(name)}/reference`;
}
