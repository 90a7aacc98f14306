/** The kind `check`: the check of a vehicle. */
import * as drafts from "../shared/drafts";
import { CHECK, EDITED_CHECK, FORM, PHOTO } from "../shared/drafts";
import { isRecord } from "../shared/requests";
import type { Answers, SavedForm, SavedPhoto } from "../shared/saved-check";
import { BeingEdited, pause } from "./editing";
import type { Entry } from "./entry";
import type { KindOfEntry } from "./kinds";
import {
  isNothing,
  isText,
  listOf,
  oneOf,
  optional,
  recordOf,
  textLike,
  withFields,
} from "./shapes";
import { photosOf } from "./store";

/** What the entry of a check keeps, so that its form can be shown again. */
export interface CheckContent<Body = unknown> {
  answers: Answers;
  /** The versions before this one that were sent and got no reply, the newest first. */
  earlier: Body[];
  /** That the vehicle mustn't be driven; '' if it may, and nothing in entries of an earlier release. */
  stop?: string;
}

const OTHER_CHECK = "Another check is in the form. Submit it or choose Reset first.";

/** Restores the form and the photos as the draft, and returns the address of the form. */
async function edit(entry: Entry): Promise<string> {
  const { id, user, division, page, photos: hashes } = entry;
  const { answers } = entry.content as CheckContent;
  const owner = { user, division, site: "", kind: CHECK };
  const draft = await drafts.load(owner);
  if ((draft?.parts.get(FORM) as SavedForm | undefined)?.key === id) return page;
  if (draft) throw new BeingEdited(OTHER_CHECK);
  await pause(id, "draft");
  const photos = (await photosOf(id)).map(({ hash, name, data }): [string, SavedPhoto] => [
    PHOTO + hash,
    { name, order: hashes.indexOf(hash), bytes: data, hash },
  ]);
  const form: SavedForm = { ...answers, key: id };
  await drafts.putMany(owner, [[EDITED_CHECK, id], [FORM, form], ...photos]);
  return page;
}

/** Discards the draft of an edit. */
async function leave({ id, user, division }: Entry): Promise<void> {
  const owner = { user, division, site: "", kind: CHECK };
  if ((await drafts.load(owner))?.parts.get(EDITED_CHECK) === id) await drafts.discard(owner);
}

export const check: KindOfEntry = {
  isRequest: withFields({
    method: oneOf("POST"),
    url: textLike(/^\/api\/(fleet|gpm)\/checks$/),
    json: isRecord,
    form: isNothing,
  }),
  isContent: withFields({
    answers: withFields({
      formType: isText,
      values: recordOf(isText),
      cost: isText,
      day: isText,
      booking: optional(withFields({ plate: isText, number: isText, step: oneOf("out", "back") })),
    }),
    earlier: listOf(isRecord),
  }),
  edit,
  leave,
};
