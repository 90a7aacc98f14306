/**
 * The dialog that delivers, withdraws or transfers an item without a connection. What is saved is
 * kept in the outbox; with a line it is sent at once.
 */
import { previewAll, VERBS } from "../../forms/stock";
import {
  countOf,
  deliver,
  entry as entryById,
  type Outcome,
  ReplyLost,
  replace,
} from "../../outbox";
import type { Entry, Failure } from "../../outbox/entry";
import { conflictOf, contentOf, type Maker, moveEntry } from "../../outbox/move";
import type {
  Action,
  MoveContent,
  MovedItem,
  MovedStore,
  MoveOffers,
} from "../../outbox/move-content";
import { afterChange, unsentText } from "../../outbox/pending";
import { confirmAction } from "../../shared/confirm";
import { alertNear, NO_CONNECTION } from "../../shared/failures";
import { showAlert } from "../../shared/messages";
import { formatNumber, parseWhole } from "../../shared/money";
import { newKey } from "../../shared/once";
import { londonDay, since } from "../../shared/times";
import { fill } from "./content";
import { showBooked, showKept, showWithLink } from "./kept";
import { problemsOf, showProblems } from "./problems";

export interface MoveTask {
  maker: Maker;
  store: MovedStore;
  /** The item with the amount that the books have. */
  item: MovedItem;
  /** By how much its amount changes once everything else is sent. */
  change: number;
  offers: MoveOffers;
  action: Action;
  /** The fields of an entry that is edited, or what is chosen beforehand. */
  chosen: Record<string, string>;
  /** When the books had that amount; null where that isn't known. */
  readAt: Date | null;
  /** By how many ms the server's clock is ahead of this browser's. */
  clockOffset: number;
  /** The entry that saving replaces. */
  edited: Entry | null;
}

/** What an open dialog saves under, however often that is tried. */
interface Attempt {
  key: string;
  /** Whether it was sent without a reply, though it couldn't be kept. */
  isUnanswered: boolean;
}

/** Asks whether more is taken than should be there; the books may be old. */
function confirmShort(task: MoveTask, verb: string, quantity: number): Promise<boolean> {
  const { item, change, readAt } = task;
  const read = `The books had ${formatNumber(item.amount)}${readAt ? ` at ${since(readAt)}` : ""}`;
  const shelf = formatNumber(afterChange(item.amount, change));
  const had = change === 0 ? `${read}.` : `${read}, ${unsentText(change)}: that leaves ${shelf}.`;
  const label = `${verb} ${formatNumber(quantity)}`;
  return confirmAction({
    title: `${label}?`,
    text: `${had} If there isn't enough when this is sent, nothing is booked and you decide again.`,
    confirmLabel: label,
  });
}

/** Makes the entry of a form; an edit is of the time at which the first one was made. */
function entryOf(form: HTMLFormElement, task: MoveTask, attempt: Attempt): Entry {
  const { maker, store, item, edited } = task;
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [
    name,
    String(value).trim(),
  ]);
  const quantity = parseWhole(fields.find(([name]) => name === "quantity")?.[1] ?? "") ?? 0;
  // What was refused is another entry once it is corrected, unless a file has a copy of it.
  const isAnother = edited === null || edited.isUnanswered || (edited.tries > 0 && !edited.hasCopy);
  const entry = moveEntry({
    maker,
    content: contentOf(task, fields, quantity),
    url: `${store.address}/items/${item.id}/action`,
    form: fields,
    key: isAnother ? attempt.key : edited.id,
  });
  const made = { ...entry, isUnanswered: attempt.isUnanswered };
  if (edited === null) return made;
  return { ...made, madeAt: edited.madeAt, clockOffset: edited.clockOffset };
}

async function save(entry: Entry, edited: Entry | null): Promise<Outcome> {
  if (edited !== null) await replace(edited.id, entry);
  return deliver(entry);
}

/** Shows in the dialog why an entry was refused, or above the page if it was closed meanwhile. */
function showRefusal(form: HTMLFormElement, { fields, message }: Failure): void {
  if (form.isConnected) showProblems(form, fields, message);
  else showAlert(document.getElementById("alerts"), message);
}

/** Shows what became of an entry. */
async function showOutcome(form: HTMLFormElement, task: MoveTask, entry: Entry, outcome: Outcome) {
  if ("failure" in outcome) {
    // Saving again replaces what is kept; nothing is, where the browser keeps nothing.
    const kept = await entryById(entry.id).catch(() => null);
    if (outcome.state === "refused" || kept === null) {
      task.edited = kept;
      return showRefusal(form, outcome.failure);
    }
  }
  form.closest("dialog")?.close();
  if (outcome.state === "sent") showBooked(outcome.reply);
  else if (outcome.state === "waiting") showKept(await countOf(entry.user));
  else showWithLink(conflictOf({ ...entry, failure: outcome.failure }), "Look at it");
}

async function submit(form: HTMLFormElement, task: MoveTask, attempt: Attempt): Promise<void> {
  const problems = problemsOf(form);
  if (Object.keys(problems).length > 0) return showProblems(form, problems);
  const entry = entryOf(form, task, attempt);
  const { action, quantity } = entry.content as MoveContent;
  const isShort = action !== "delivery" && quantity > afterChange(task.item.amount, task.change);
  if (isShort && !(await confirmShort(task, VERBS[action] ?? "", quantity))) return;
  let outcome: Outcome;
  try {
    outcome = await save(entry, task.edited);
  } catch (error) {
    attempt.isUnanswered ||= error instanceof ReplyLost;
    throw error;
  }
  // Nothing was booked, so a correction is another entry.
  if ("failure" in outcome && !attempt.isUnanswered) attempt.key = newKey();
  await showOutcome(form, task, entry, outcome);
}

/** Opens the dialog on an item; returns whether this browser has it, and says so if not. */
export async function openMove(dialog: HTMLDialogElement, task: MoveTask): Promise<boolean> {
  const today = londonDay(new Date(Date.now() + task.clockOffset));
  const form = await fill(dialog, { ...task, today }).catch(() => null);
  if (!form) {
    showAlert(document.getElementById("alerts"), NO_CONNECTION);
    return false;
  }
  for (const link of dialog.querySelectorAll<HTMLAnchorElement>("a[data-close]")) {
    link.href = task.store.address;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      dialog.close();
    });
  }
  dialog.addEventListener("close", () => dialog.replaceChildren(), { once: true });
  const buttons = form.querySelectorAll<HTMLButtonElement>("footer button");
  const attempt = { key: newKey(), isUnanswered: false };
  let isBusy = false;
  const setBusy = (busy: boolean) => {
    isBusy = busy;
    for (const button of buttons) button.disabled = busy;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await submit(form, task, attempt);
    } catch (error) {
      alertNear(form, error instanceof Error ? error.message : "Update failed");
    }
    setBusy(false);
  });
  previewAll(dialog);
  dialog.showModal();
  form.querySelector<HTMLElement>("#quantity")?.focus();
  return true;
}
