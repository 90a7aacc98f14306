/** The kind `count`: a stock check that was applied. */
import * as drafts from "../shared/drafts";
import { COUNT, COUNT_LIST, EDITED_COUNT, LINE, STALE } from "../shared/drafts";
import type { Item } from "../shared/inventory";
import type { Schemas } from "../shared/openapi";
import { isRecord } from "../shared/requests";
import { BeingEdited, pause } from "./editing";
import type { Entry } from "./entry";
import type { KindOfEntry } from "./kinds";
import { isNothing, isPair, isText, listOf, oneOf, optional, textLike, withFields } from "./shapes";

/** What the entry of a stock check keeps, so that it can be counted on. */
export interface CountContent {
  site: string;
  /** The list that was counted. */
  items: Item[];
  /** The parts of its draft. */
  parts: [name: string, value: unknown][];
}

const OTHER_COUNT =
  "Another stock check of this site is saved in this browser. Apply or cancel that one first.";

/** Returns the lines whose stock was changed, by the reply that refused the stock check. */
function staleIn({ failure }: Entry): Schemas["StaleAmountReply"][] {
  const body = failure?.body;
  return isRecord(body) && Array.isArray(body.moved) ? body.moved : [];
}

/** Returns what a conflict is about: 'Not sent: somebody changed 3 of these lines. Look at them.' */
function conflictOf(entry: Entry): string {
  const count = staleIn(entry).length;
  if (count === 0) return entry.failure?.message ?? "";
  const them = count === 1 ? "it" : "them";
  return `Not sent: somebody changed ${count} of these lines. Look at ${them}.`;
}

/** Returns the changed lines that a draft doesn't have marked, as those that were decided about are. */
function unmarkedIn(entry: Entry, draft: drafts.Draft): Schemas["StaleAmountReply"][] {
  return staleIn(entry).filter(({ id, amount }) => {
    const line = draft.parts.get(LINE + id);
    return !(isRecord(line) && isRecord(line.moved) && line.moved.amount === amount);
  });
}

/** Restores the draft of a stock check, and returns the address of its page. */
async function edit(entry: Entry): Promise<string> {
  const { id, user, division, page } = entry;
  const { site, items, parts } = entry.content as CountContent;
  const owner = { user, division, site, kind: COUNT };
  const draft = await drafts.load(owner);
  if (draft?.parts.get(EDITED_COUNT) === id) {
    // It may have been opened before the server refused the stock check.
    const unmarked = unmarkedIn(entry, draft);
    if (unmarked.length > 0) await drafts.put(owner, STALE, unmarked);
    return page;
  }
  if (draft) throw new BeingEdited(OTHER_COUNT);
  await pause(id, "draft");
  // Without the list, the draft isn't offered as a count: so it comes first.
  await drafts.put({ ...owner, kind: COUNT_LIST }, "items", items);
  const stale = staleIn(entry);
  const marks: CountContent["parts"] = stale.length > 0 ? [[STALE, stale]] : [];
  await drafts.putMany(owner, [["begun", true], [EDITED_COUNT, id], ...marks, ...parts]);
  return page;
}

/** Discards the draft of an edit. */
async function leave({ id, user, division, content }: Entry): Promise<void> {
  const owner = { user, division, site: (content as CountContent).site, kind: COUNT };
  if ((await drafts.load(owner))?.parts.get(EDITED_COUNT) !== id) return;
  await Promise.all([drafts.discard(owner), drafts.discard({ ...owner, kind: COUNT_LIST })]);
}

export const count: KindOfEntry = {
  isRequest: withFields({
    method: oneOf("PATCH"),
    url: textLike(/^\/api\/(gfm|gpm)\/inventory\/\w+$/),
    json: withFields({ ops: listOf(isRecord) }),
    form: isNothing,
  }),
  isContent: withFields({
    site: isText,
    items: listOf(isRecord),
    parts: listOf(isPair),
    whole: optional(withFields({ items: listOf(isRecord), match: isText })),
  }),
  edit,
  leave,
  conflictOf,
};
