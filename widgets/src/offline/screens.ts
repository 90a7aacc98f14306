/** The screens that the shell can show: what each is called, its script, and its props. */
import type { Person } from "../outbox/database";
import type { Widget } from "../shared/mount";
import { namesFor, type OfflineScreen, stockName } from "./addresses";
import { firstReference, loadReference } from "./references";

/** A screen with all that it takes to show it. */
export interface Opened {
  title: string;
  /** The script's widget. */
  load: () => Promise<Widget>;
  props: unknown;
  /** When its data were read, in ms of this browser's clock. */
  fetchedAt: number;
  /** Whether its page is narrow. */
  isNarrow: boolean;
}

async function openStore(
  screen: OfflineScreen & { screen: "list" | "count" },
  person: Person,
): Promise<Opened | null> {
  const reference = await loadReference(person.user, stockName(screen));
  if (!reference) return null;
  const { fetchedAt, value } = reference;
  if (screen.screen === "list")
    return {
      title: `${value.siteLabel} stock`,
      load: () => import("./stock-list/index") as Promise<Widget>,
      props: { reference, person },
      fetchedAt,
      isNarrow: false,
    };
  return (
    value.count && {
      title: `Stock check, ${value.siteLabel}`,
      load: () => import("../stock-count/index") as Promise<Widget>,
      props: { ...value.count, reference, person },
      fetchedAt,
      isNarrow: false,
    }
  );
}

async function openCheck(
  screen: OfflineScreen & { screen: "check" },
  person: Person,
): Promise<Opened | null> {
  const name = await firstReference(person.user, namesFor(screen, person.chosen));
  const reference = name && (await loadReference(person.user, name as `check-form:${string}`));
  if (!reference) return null;
  const { vehicle } = screen;
  return {
    title: "Vehicle Checks",
    load: () => import("../check-form/index") as Promise<Widget>,
    props: { ...reference.value.props, vehicle, reference, person },
    fetchedAt: reference.fetchedAt,
    isNarrow: true,
  };
}

/** Returns a screen for a person; null where it needs a connection. */
export async function openScreen(screen: OfflineScreen, person: Person): Promise<Opened | null> {
  if (screen.screen === "check") return openCheck({ ...screen }, person);
  if (screen.screen === "list" || screen.screen === "count")
    return openStore({ ...screen }, person);
  return null;
}
