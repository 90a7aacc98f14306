/** What a person can do with an entry; each returns what to tell them, '' for nothing. */
import { confirmAction } from "../../shared/confirm";
import { confirmAndSend, discard, discardUnsent, type Outcome, replace, sendNow, tryNow } from "..";
import { pauseForQuestion } from "../editing";
import type { Entry } from "../entry";
import { saveFile } from "../files";
import type { KindOfEntry, Settlement } from "../kinds";
import { requestReason } from "./reason";

export type Action = () => Promise<string>;

const DISCARDING = { title: "Discard this?", text: "It won't be sent." };
const DISCARDED = "Discarded.";
const MAY_HAVE_ARRIVED = " It may have arrived already: look at the history.";
const IF_IT_WAS_SENT =
  " If its file was sent elsewhere, or this page was closed while sending, look at the history.";

function reportOf({ title }: Entry, outcome: Outcome): string {
  if (outcome.state === "sent") return `Sent: ${title}`;
  return `Not sent: ${outcome.state === "waiting" ? outcome.reason : outcome.failure.message}`;
}

/** Sends one entry now. */
export async function send(entry: Entry): Promise<string> {
  return reportOf(entry, await tryNow(entry));
}

/** Sends an entry that was made long ago. */
export async function sendConfirmed(entry: Entry): Promise<string> {
  return reportOf(entry, await confirmAndSend(entry));
}

/** Sends an entry that was opened for an edit, without its changes. */
export async function sendAsItIs(entry: Entry, kind: KindOfEntry | null): Promise<string> {
  await kind?.leave?.(entry);
  return send(entry);
}

/** Opens the page on which an entry is edited. */
export async function edit(entry: Entry, kind: KindOfEntry): Promise<string> {
  location.assign(await kind.edit(entry));
  return "";
}

export async function save(entries: readonly Entry[]): Promise<string> {
  await saveFile(entries);
  return "Saved as a file. It stays here until it is sent, and counts once.";
}

/** Returns why an entry may count all the same; '' where it can't. */
function doubtOf({ isUnanswered, tries }: Entry): string {
  if (!isUnanswered) return "";
  return tries > 0 ? MAY_HAVE_ARRIVED : IF_IT_WAS_SENT;
}

/** Discards an entry; why a conflict isn't settled is sent to the server. */
export async function throwAway(entry: Entry, kind: KindOfEntry | null): Promise<string> {
  const isConflict = entry.state === "conflict";
  const { title, text } = (isConflict && kind?.discarding) || DISCARDING;
  const question = { title, text: `${entry.title}. ${text}`, confirmLabel: "Discard" };
  if (isConflict) {
    const reason = await requestReason(question);
    if (reason === null) return "";
    await discard(entry.id, reason);
    await kind?.leave?.(entry);
    return DISCARDED;
  }
  const paused = await pauseForQuestion(entry.id);
  const sent = doubtOf(paused.entry);
  try {
    const confirmation = { ...question, text: question.text + sent, cancelLabel: "Keep" };
    if (!(await confirmAction(confirmation))) return "";
    await discardUnsent(paused.entry);
    await kind?.leave?.(entry);
    return DISCARDED;
  } finally {
    await paused.release();
  }
}

/** Settles a conflict by the entry that takes the place of the refused one. */
export async function settle(entry: Entry, settlement: Settlement): Promise<string> {
  await replace(entry.id, settlement.entry);
  await sendNow(settlement.entry.id);
  return "";
}
