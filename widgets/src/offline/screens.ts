/** The screens that the shell can show: what each is called, its script, and its props. */
import type { Person } from "../outbox/database";
import type { Widget } from "../shared/mount";
import { stockName } from "../shared/stores";
import { mountOf } from "../shared/widget";
import { type CheckScreen, namesFor, type OfflineScreen, type StoreScreen } from "./addresses";
import { firstReference, loadReference } from "./references";
import { ViewOnly } from "./ViewOnly";

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

/** Returns the screen of a form that its person may not fill in. */
function viewOnly(title: string, why: string, back: string | null): Opened {
  const load = async () => ({ mount: mountOf(ViewOnly) }) as Widget;
  return { title, load, props: { title, why, back }, fetchedAt: null, isNarrow: true };
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
  const title = `Stock check, ${value.siteLabel}`;
  if (value.count && value.viewOnly) return viewOnly(title, value.viewOnly, value.back);
  return (
    value.count && {
      title,
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
  const title = "Vehicle Checks";
  if (reference.value.viewOnly) return viewOnly(title, reference.value.viewOnly, null);
  const { vehicle, booking } = screen;
  return {
    title,
    load: () => importFrom(scripts["check-form"]),
    props: { ...reference.value.props, vehicle, booking, reference, person },
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
