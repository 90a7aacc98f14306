/** The kind `move`: a delivery, withdrawal or transfer of one item. */
import { VERBS } from "../forms/stock";
import { formatNumber } from "../shared/money";
import { newKey } from "../shared/once";
import { stockName } from "../shared/stores";
import { since } from "../shared/times";
import { type Entry, makeEntry, type SentRequest } from "./entry";
import type { KindOfEntry, Settlement } from "./kinds";
import type { Action, MoveContent } from "./move-content";
import {
  isField,
  isNothing,
  isNumber,
  isText,
  listOf,
  oneOf,
  optional,
  recordOf,
  textLike,
  withFields,
} from "./shapes";
import { get } from "./store";

/** Who made an entry. */
export interface Maker {
  user: number;
  username: string;
}

interface Made {
  maker: Maker;
  content: MoveContent;
  /** The address to which the dialog is sent. */
  url: string;
  /** All fields as they are sent, without the key and the token of the page. */
  form: [name: string, value: string][];
  /** The key under which the form was sent already. */
  key?: string | undefined;
}

/** An entry can't be corrected; the message is for people. */
class NotEditable extends Error {}

/** The code of a refusal for lack of stock; its body says how much is `available`. */
const NOT_ENOUGH = "not_enough_stock";
/** The part of an address that opens the dialog on an entry. */
const EDITED = "#entry-";

/** Returns the id of the entry that an address opens for an edit; '' if it opens none. */
export function editedId(hash: string): string {
  return hash.startsWith(EDITED) ? hash.slice(EDITED.length) : "";
}

/** Returns the team of a move; recent ones are offered for deliveries and withdrawals only. */
function teamOf({ action, fields: { team = "", recent_team: recent = "" } }: MoveContent): string {
  return team.trim() || (action === "transfer" ? "" : recent);
}

function titleOf({ action, quantity, item }: MoveContent): string {
  return `${VERBS[action]} ${formatNumber(quantity)} × ${item.name}`;
}

function detailOf(content: MoveContent): string {
  const { store, destination, offers } = content;
  const site = offers.destinations.find(({ value }) => value === destination)?.label;
  return [store.label, site && `to ${site}`, teamOf(content)].filter(Boolean).join(" · ");
}

/** Returns the content of a dialog that was filled in, without the teams, which may be many. */
export function contentOf(
  base: Pick<MoveContent, "store" | "item" | "offers">,
  filledIn: Iterable<readonly [name: string, value: string]>,
  quantity: number,
): MoveContent {
  const fields = Object.fromEntries(filledIn);
  const action = fields.action as Action;
  const destination = action === "transfer" ? (fields.destination ?? "") : "";
  const offers = { ...base.offers, teams: [] };
  return { store: base.store, item: base.item, offers, action, quantity, destination, fields };
}

/** Makes the entry of a dialog. */
export function moveEntry({ maker, content, url, form, key = newKey() }: Made): Entry {
  return makeEntry({
    ...maker,
    id: key,
    division: content.store.division,
    kind: "move",
    subject: stockName(content.store),
    title: titleOf(content),
    detail: detailOf(content),
    page: content.store.address,
    request: { method: "POST", url, form: [...form, ["key", key]] },
    content,
  });
}

/** Returns how much of the item the server has, where a move needs more; null otherwise. */
function availableOf({ failure }: Entry): number | null {
  const body = failure?.body as { available?: unknown } | null | undefined;
  return failure?.code === NOT_ENOUGH && typeof body?.available === "number"
    ? body.available
    : null;
}

/**
 * Returns the entry that books what there is, and notes the difference. Where a copy of the first one
 * may be sent from a file, both have its key, under which only one of them counts.
 */
function withDifference(entry: Entry): Entry {
  const id = entry.hasCopy ? entry.id : newKey();
  const { form = [], ...request } = entry.request;
  const fields = form.filter(([name]) => name !== "key" && name !== "book_available");
  const sent: SentRequest = { ...request, form: [...fields, ["book_available", "1"], ["key", id]] };
  const { user, username, division, kind, subject, title, detail, page, content, madeAt } = entry;
  const made = { user, username, division, kind, subject, title, detail, page, content, madeAt };
  return { ...makeEntry({ ...made, id, request: sent }), clockOffset: entry.clockOffset };
}

/** Returns what a conflict is about: 'Taken 5 at 9:40, but the books say 2.' */
export function conflictOf(entry: Entry): string {
  const available = availableOf(entry);
  if (available === null) return entry.failure?.message ?? "";
  const { quantity } = entry.content as MoveContent;
  const made = since(new Date(entry.madeAt + (entry.clockOffset ?? 0)));
  return `Taken ${formatNumber(quantity)} at ${made}, but the books say ${formatNumber(available)}.`;
}

const IN_A_FILE =
  "This was saved as a file, which may have been sent elsewhere, so it can't be changed any more. Send it first: it counts once.";
const UNANSWERED =
  "This may have arrived, though no reply came, so it can't be changed any more. Send it again first: it counts once.";

/** Returns why another version of an entry might count beside it; '' where it can be corrected. */
export function whyNotEditable({ isUnanswered, hasCopy, tries }: Entry): string {
  if (!isUnanswered) return "";
  return hasCopy && tries === 0 ? IN_A_FILE : UNANSWERED;
}

/** Returns the address of the stock list with the dialog opened on an entry; throws NotEditable. */
async function edit(seen: Entry): Promise<string> {
  const entry = (await get(seen.id)) ?? seen;
  const reason = whyNotEditable(entry);
  if (reason) throw new NotEditable(reason);
  return (entry.content as MoveContent).store.address + EDITED + entry.id;
}

/** Returns what books as much as there is, where that is less. */
function settle(entry: Entry): Settlement | null {
  const available = availableOf(entry);
  if (available === null) return null;
  const { quantity } = entry.content as MoveContent;
  const number = available === 0 ? "nothing" : formatNumber(available);
  const difference = formatNumber(quantity - available);
  return {
    label: `Book ${number} and a difference of ${difference}`,
    entry: withDifference(entry),
  };
}

const isChoice = withFields({ value: isText, label: isText });

export const move: KindOfEntry = {
  isRequest: withFields({
    method: oneOf("POST"),
    url: textLike(/^(\/gpm)?\/inventory\/\w+\/items\/\d+\/action(\?[\w=&-]*)?$/),
    form: listOf(isField),
    json: isNothing,
  }),
  isContent: withFields({
    store: withFields({
      division: oneOf("gfm", "gpm"),
      site: isText,
      address: textLike(/^(\/gpm)?\/inventory\/\w+$/),
      label: isText,
    }),
    item: withFields({
      id: isNumber,
      name: isText,
      amount: isNumber,
      unit: isText,
      unitPrice: optional(isNumber),
    }),
    offers: withFields({
      teams: listOf(isText),
      deliveryTeams: listOf(isText),
      withdrawalTeams: listOf(isText),
      destinations: listOf(isChoice),
    }),
    action: oneOf("delivery", "withdrawal", "transfer"),
    quantity: isNumber,
    destination: isText,
    fields: recordOf(isText),
  }),
  edit,
  conflictOf,
  settle,
  discarding: { title: "Discard?", text: "Say why, for those who look at the stock later." },
};
