/** The dialog on a page, against a fake server, for tests. */
import { getByLabelText, getByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, vi } from "vitest";
import { watchFieldErrors } from "../../forms/field-errors";
import { watchStockForms } from "../../forms/stock";
import { emptyDatabase, giveLocks, Server } from "../../outbox/testing";
import { itemOf, offersOf, storeOf } from "../stock-reference";
import { keepDialog, MAKER, REFERENCE } from "../testing";
import { type MoveTask, openMove } from "./index";

const PAGE = `<main id="main"><div id="alerts"></div><button id="opener">−</button></main>
  <div class="live" id="live" role="status"></div>
  <dialog id="dialog" aria-labelledby="dialog-title"></dialog>`;

export const dialog = () => document.querySelector("dialog#dialog") as HTMLDialogElement;
export const form = () => dialog().querySelector("form") as HTMLFormElement;
export const live = () => document.getElementById("live") as HTMLElement;
export const field = (label: string) => getByLabelText<HTMLInputElement>(dialog(), label);
export const button = (name: string) => getByRole(dialog(), "button", { name });

/** Starts a fake server and an empty page for each test; returns a function that finds the server. */
export function startPages(): () => Server {
  let server: Server;
  beforeAll(() => {
    watchFieldErrors();
    watchStockForms();
  });
  beforeEach(async () => {
    giveLocks();
    server = new Server();
    keepDialog();
    await emptyDatabase();
    document.body.innerHTML = PAGE;
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return () => server;
}

/** Opens the dialog on the hand warmer, of which there are 79. */
export async function open(
  part: Partial<MoveTask> = {},
  reference = REFERENCE,
  row = 1,
): Promise<void> {
  const values = reference.rows[row];
  if (!values) throw new Error("There is no such row");
  await openMove(dialog(), {
    maker: MAKER,
    store: storeOf(reference),
    item: itemOf(values),
    change: 0,
    offers: offersOf(reference),
    action: "withdrawal",
    chosen: {},
    readAt: new Date(),
    clockOffset: 0,
    edited: null,
    ...part,
  });
}

export async function save(quantity: string): Promise<void> {
  await userEvent.clear(field("Quantity"));
  await userEvent.type(field("Quantity"), `${quantity}{Enter}`);
}
