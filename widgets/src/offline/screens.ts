/** The screens that the shell can show: what each is called, its script, and its props. */
import type { Person } from "../outbox/database";
import type { Widget } from "../shared/mount";
import { stockName } from "../shared/stores";
import { type CheckScreen, namesFor, type OfflineScreen, type StoreScreen } from "./addresses";
import { firstReference, loadReference } from "./references";

/** The addresses of the widgets' scripts, from the shell's page. */
export type Scripts = Record<"stock-count" | "check-form", string>;

const importFrom = (address: string): Promise<Widget> => import(address) as Promise<Widget>;

/** A screen with all that it takes to show it. */
export interface Opened {
  title: string;
  /** The script's widget. */
  load: () => Promise<Widget>;
  props: unknown;
  /** When its data were read, in ms of this browser's clock; null for what is of this browser. */
  fetchedAt: number | null;
  /** Whether its page is narrow. */
  isNarrow: boolean;
  /** Whether its page has a heading that isn't the widget's. */
  hasHeading?: boolean;
}

async function openStore(
  screen: StoreScreen,
  person: Person,
  scripts: Scripts,
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
      load: () => importFrom(scripts["stock-count"]),
      props: { ...value.count, reference, person },
      fetchedAt,
      isNarrow: false,
    }
  );
}

async function openCheck(
  screen: CheckScreen,
  person: Person,
  scripts: Scripts,
): Promise<Opened | null> {
  const name = await firstReference(person.user, namesFor(screen, person.chosen));
  const reference = name && (await loadReference(person.user, name as `check-form:${string}`));
  if (!reference) return null;
  const { vehicle } = screen;
  return {
    title: "Vehicle Checks",
    load: () => importFrom(scripts["check-form"]),
    props: { ...reference.value.props, vehicle, reference, person },
    fetchedAt: reference.fetchedAt,
    isNarrow: true,
    hasHeading: true,
  };
}

/** Returns a screen for a person; null where it needs a connection. */
export async function openScreen(
  screen: OfflineScreen,
  person: Person,
  scripts: Scripts,
): Promise<Opened | null> {
  switch (screen.screen) {
    case "check":
      return openCheck(screen, person, scripts);
    case "list":
    case "count":
      return openStore(screen, person, scripts);
    case "outbox":
      return {
        title: "Not sent yet",
        load: () => import("../outbox/page/index") as Promise<Widget>,
        props: { user: person.user, username: person.username },
        fetchedAt: null,
        isNarrow: true,
      };
  }
}
