/** What a person can do with an entry; each returns what to tell them, '' for nothing. */
import { confirmAction } from "../../shared/confirm";
import { confirmAndSend, discard, remove, sendNow } from "..";
import type { Entry } from "../entry";
import { saveFile } from "../files";
import type { Choice, KindOfEntry } from "../kinds";
import { reasonOf } from "../reasons";
import * as store from "../store";
import { requestReason } from "./reason";

export type Action = () => Promise<string>;

const DISCARDED = "Discarded.";

async function reportOf({ id, title }: Entry, status: Awaited<ReturnType<typeof sendNow>>) {
  const entries = await store.all();
  const left = entries.find((entry) => entry.id === id);
  if (!left) return `Sent: ${title}`;
  if (left.state === "waiting") return `Not sent: ${reasonOf(left, entries, status)}`;
  return `Not sent: ${left.failure?.message ?? ""}`;
}

/** Sends one entry now. */
export async function send(entry: Entry): Promise<string> {
  return reportOf(entry, await sendNow(entry.id));
}

/** Sends an entry that was made long ago. */
export async function sendConfirmed(entry: Entry): Promise<string> {
  return reportOf(entry, await confirmAndSend(entry.id));
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

/** Discards an entry; why a conflict isn't settled is told to the server. */
export async function throwAway(entry: Entry, kind: KindOfEntry | null): Promise<string> {
  const question = {
    title: "Discard this?",
    text: `${entry.title}. It won't be sent.`,
    confirmLabel: "Discard",
    cancelLabel: "Keep",
  };
  if (entry.state === "conflict") {
    const reason = await requestReason(question);
    if (reason === null) return "";
    await discard(entry.id, reason);
    return DISCARDED;
  }
  const sent = entry.isUnanswered ? " It may have arrived already: look at the history." : "";
  if (!(await confirmAction({ ...question, text: question.text + sent }))) return "";
  await remove(entry.id);
  await kind?.leave?.(entry);
  return DISCARDED;
}

/** Does what a person has chosen for a conflict. */
export async function choose(entry: Entry, choice: Choice): Promise<string> {
  if (!choice.needsReason) {
    await choice.run(entry);
    return "";
  }
  const reason = await requestReason({
    title: `${choice.label}?`,
    text: `${entry.title}. Say why, for those who look at the stock later.`,
    confirmLabel: choice.label,
  });
  if (reason !== null) await choice.run(entry, reason);
  return "";
}
