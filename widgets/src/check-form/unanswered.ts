/** Drafts of earlier releases, which held the requests that got no reply: these become an entry of the outbox. */
import { keep } from "../outbox";
import type { CheckContent } from "../outbox/check";
import { held } from "../outbox/editing";
import * as drafts from "../shared/drafts";
import { EDITED, FORM, type SavedForm } from "../shared/saved-check";
import type { Body } from "./check";
import { UNANSWERED } from "./draft";
import { savedPhotos } from "./photo-draft";
import type { Props } from "./props";
import { checkEntry } from "./sending";

interface Unanswered {
  key: string;
  body: Body;
}

/**
 * Makes an entry of the requests that a draft holds: what is in the form now is an edit of it.
 */
export async function keepUnanswered(
  props: Props,
  owner: drafts.Owner,
  { parts, since }: drafts.Draft,
): Promise<void> {
  const { key = "", ...answers } = (parts.get(FORM) ?? {}) as Partial<SavedForm>;
  const sent = ((parts.get(UNANSWERED) ?? []) as Unanswered[]).filter((each) => each.key === key);
  const [body, ...earlier] = sent.map((each) => each.body).reverse();
  if (!body) return;
  const label = props.templates.find((each) => each.key === body._formType)?.label ?? "";
  const filledIn = { key, form: { label }, answers: answers as SavedForm, body };
  const entry = await checkEntry(props, filledIn, null);
  const content: CheckContent<Body> = { answers: filledIn.answers, earlier };
  const photos = savedPhotos(parts).flatMap(([, { name, hash, bytes }]) =>
    hash && bytes ? [{ name, hash, data: bytes }] : [],
  );
  await keep(held({ ...entry, content, isUnanswered: true, madeAt: since.getTime() }), photos);
  await drafts.putMany(owner, [[EDITED, key]], [UNANSWERED]);
}
