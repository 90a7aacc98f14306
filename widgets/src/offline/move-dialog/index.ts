/**
 * The dialog that delivers, withdraws or transfers an item without a connection. What is saved is
 * kept in the outbox; with a line it is sent at once.
 */
import { previewAll, VERBS } from "../../forms/stock";
import { deliver, entriesOf, entry as entryById, type Outcome, replace } from "../../outbox";
import type { Entry } from "../../outbox/entry";
import { conflictOf, contentOf, type Maker, moveEntry } from "../../outbox/move";
import type {
  Action,
  MoveContent,
  MovedItem,
  MovedStore,
  MoveOffers,
} from "../../outbox/move-content";
import { confirmAction } from "../../shared/confirm";
import { alertNear } from "../../shared/failures";
import { showAlert } from "../../shared/messages";
import { formatNumber, parseWhole } from "../../shared/money";
import { londonDay, since } from "../../shared/times";
import { fill } from "./content";
import { showBooked, showKept, showWithLink } from "./kept";
import { problemsOf, showProblems } from "./problems";

export interface MoveTask {
  maker: Maker;
  store: MovedStore;
  item: MovedItem;
  offers: MoveOffers;
  action: Action;
  /** The fields of an entry that is edited, or what is chosen beforehand. */
  chosen: Record<string, string>;
  /** When the amount was read; null where that isn't known. */
  readAt: Date | null;
  /** By how many ms the server's clock is ahead of this browser's. */
  clockOffset: number;
  /** The entry that saving replaces. */
  edited: Entry | null;
}

/** Asks whether more is taken than the list had, which may be old. */
function confirmShort(task: MoveTask, verb: string, quantity: number): Promise<boolean> {
  const { item, readAt } = task;
  const had = `The list had ${formatNumber(item.amount)}${readAt ? ` at ${since(readAt)}` : ""}.`;
  const label = `${verb} ${formatNumber(quantity)}`;
  return confirmAction({
    title: `${label}?`,
    text: `${had} If there isn't enough when this is sent, nothing is booked and you are asked again.`,
    confirmLabel: label,
  });
}

/** Makes the entry of a form; an edit is of the time at which the first one was made. */
function entryOf(form: HTMLFormElement, task: MoveTask): Entry {
  const { maker, store, item, edited } = task;
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [
    name,
    String(value).trim(),
  ]);
  const quantity = parseWhole(fields.find(([name]) => name === "quantity")?.[1] ?? "") ?? 0;
  const wasSent = edited === null || edited.tries > 0 || edited.isUnanswered;
  const entry = moveEntry({
    maker,
    content: contentOf(task, fields, quantity),
    url: `${store.address}/items/${item.id}/action`,
    form: fields,
    key: wasSent ? undefined : edited.id,
  });
  if (edited === null) return entry;
  return { ...entry, madeAt: edited.madeAt, clockOffset: edited.clockOffset };
}

const SENT_MEANWHILE =
  "This was sent meanwhile, and can't be changed any more. Look at the history.";

async function save(entry: Entry, edited: Entry | null): Promise<Outcome> {
  if (edited !== null) {
    // Beside what was sent already, another version would count too.
    if (!(await entryById(edited.id))) throw new Error(SENT_MEANWHILE);
    await replace(edited.id, entry);
  }
  return deliver(entry);
}

/** Shows what became of an entry. */
async function showOutcome(form: HTMLFormElement, task: MoveTask, entry: Entry, outcome: Outcome) {
  if (outcome.state === "refused") {
    const { failure } = outcome;
    // Saving again replaces what is kept; nothing is, where the browser keeps nothing.
    task.edited = await entryById(entry.id).catch(() => null);
    if (form.isConnected) showProblems(form, failure.fields, failure.message);
    else showAlert(document.getElementById("alerts"), failure.message);
    return;
  }
  form.closest("dialog")?.close();
  if (outcome.state === "sent") showBooked(outcome.reply);
  else if (outcome.state === "waiting") showKept((await entriesOf(entry.user)).length);
  else showWithLink(conflictOf({ ...entry, failure: outcome.failure }), "Look at it");
}

async function submit(form: HTMLFormElement, task: MoveTask): Promise<void> {
  const problems = problemsOf(form);
  if (Object.keys(problems).length > 0) return showProblems(form, problems);
  const entry = entryOf(form, task);
  const { action, quantity } = entry.content as MoveContent;
  const isShort = action !== "delivery" && quantity > task.item.amount;
  if (isShort && !(await confirmShort(task, VERBS[action] ?? "", quantity))) return;
  await showOutcome(form, task, entry, await save(entry, task.edited));
}

/** Opens the dialog on an item; returns its form. */
export function openMove(dialog: HTMLDialogElement, task: MoveTask): HTMLFormElement {
  const today = londonDay(new Date(Date.now() + task.clockOffset));
  const form = fill(dialog, { ...task, today });
  for (const button of dialog.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => dialog.close());
  }
  dialog.addEventListener("close", () => dialog.replaceChildren(), { once: true });
  const buttons = form.querySelectorAll<HTMLButtonElement>("footer button");
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
      await submit(form, task);
    } catch (error) {
      alertNear(form, error instanceof Error ? error.message : "Update failed");
    }
    setBusy(false);
  });
  previewAll(dialog);
  dialog.showModal();
  form.querySelector<HTMLElement>("#quantity")?.focus();
  return form;
}
