/** The previews of the stock dialogs. Events are handled on the page, since dialogs are replaced. */
import { formatNumber, formatPence, parsePence, parseWhole } from "../shared/money";
import { nameKey } from "../shared/names";
import { problemOf, problemsIn } from "./limits";

/** The buttons of the actions. */
export const VERBS: Record<string, string> = {
  delivery: "Deliver",
  withdrawal: "Withdraw",
  transfer: "Transfer",
};

function inputOf(root: ParentNode, name: string): HTMLInputElement | null {
  return root.querySelector(`input[name="${name}"]`);
}

function inputValue(root: ParentNode, name: string): string {
  return inputOf(root, name)?.value ?? "";
}

/** Returns what an input's text stands for, null where it is beyond its limits. */
function validOf(
  input: HTMLInputElement | null,
  parse: (text: string) => number | null,
): number | null {
  return input && !problemOf(input) ? parse(input.value) : null;
}

function write(element: Element | null | undefined, text = ""): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function writeNew(part: Element, name: string, typed: string): void {
  const element = part.querySelector<HTMLElement>(`[data-new=${name}]`);
  const old = element?.dataset.old ?? "";
  write(element, typed || old);
  const change = element?.closest("span");
  if (change) change.hidden = (typed || old) === old;
}

/** Fills numbers into a phrase such as 'Changes {0} to {1}'. */
function fill(phrase = "", ...numbers: number[]): string {
  return phrase.replace(/\{(\d)\}/g, (_, index) => formatNumber(numbers[Number(index)] ?? 0));
}

/** Shows what saving does: it adds an item, or changes the amount of the one that has its name. */
function previewSaving(
  part: HTMLElement,
  amount: number | null,
  isReady: boolean,
  isWrong: boolean,
): void {
  const existing = part.querySelector<HTMLElement>("[data-existing]");
  const before = Number(existing?.dataset.existing);
  const changes = isReady && !isWrong && amount !== null && existing !== null;
  const badge = part.querySelector<HTMLElement>("[data-badge]");
  const { ready, missing, changes: phrase, stays }: DOMStringMap = badge?.dataset ?? {};
  const changed = fill(amount === before ? stays : phrase, before, amount ?? 0);
  // Beside what is wrong nothing is ready: the line before the badge or an error says why.
  write(badge, isWrong ? "" : changes ? changed : isReady ? ready : missing);
  badge?.classList.toggle("ok", isReady && !changes && !isWrong);
  badge?.classList.toggle("warn", changes);
  const form = part.closest("form");
  const deliver = form?.querySelector<HTMLButtonElement>("[data-deliver]");
  const delivery = part.querySelector<HTMLElement>("[data-delivery]");
  if (delivery) delivery.hidden = existing === null;
  if (deliver) {
    deliver.hidden = !changes;
    write(deliver, changes ? fill(deliver.dataset.deliver, amount, before + amount) : "");
  }
  const save = form?.querySelector<HTMLButtonElement>("button[data-ready]");
  if (!save) return;
  save.disabled = !isReady;
  const label = existing?.dataset.submit ?? part.dataset.submit;
  if (label) write(save, label);
}

/** Shows the sum of an addition, and whether it can be saved; data attributes may name its fields. */
export function previewAddition(part: HTMLElement): void {
  const { name = "name", quantity = "amount", price: priceName = "unit_price" } = part.dataset;
  const amount = validOf(inputOf(part, quantity), parseWhole);
  const oldPence = part.querySelector<HTMLElement>("[data-old-pence]")?.dataset.oldPence;
  const priceText = inputValue(part, priceName).trim();
  const typedPence = validOf(inputOf(part, priceName), parsePence);
  const price = priceText === "" && oldPence ? Number(oldPence) : typedPence;
  const isReady = inputValue(part, name).trim() !== "" && amount !== null && amount > 0;
  const problem = problemsIn(part)[0];
  const isPriced = amount !== null && price !== null;
  const total = isPriced ? formatPence(BigInt(amount) * BigInt(price)) : "";
  const sum = isPriced ? `${formatNumber(amount)} × ${formatPence(price)} = ${total}` : "";
  write(part.querySelector("[data-total]"), problem ?? sum);
  const isWrong = problem !== undefined || part.querySelector(".field.wrong") !== null;
  previewSaving(part, amount, isReady, isWrong);
  write(part.querySelector("[data-new=amount]"), amount === null ? "…" : formatNumber(amount));
  const typedPrice = priceText !== "" && price !== null;
  writeNew(part, "category", inputValue(part, "category").trim());
  writeNew(part, "price", typedPrice ? formatPence(price) : "");
}

/** Labels the button by the chosen action, and shows the resulting amount. */
export function previewAction(part: Element): void {
  const chosen = part.querySelector<HTMLInputElement>("input[name=action]:checked");
  const action = chosen?.value ?? "withdrawal";
  const delivers = action === "delivery";
  write(part.querySelector("button.primary"), VERBS[action]);
  part.querySelectorAll<HTMLElement>("[data-only]").forEach((only) => {
    only.hidden = !only.dataset.only?.split(" ").includes(action);
  });
  const now = Number(part.querySelector<HTMLElement>("[data-amount]")?.dataset.amount);
  const input = inputOf(part, "quantity");
  const quantity = validOf(input, parseWhole);
  const after = quantity === null ? null : delivers ? now + quantity : now - quantity;
  const isShort = !delivers && after !== null && after < 0;
  // Below nothing where more than the books have was taken without a connection.
  const onShelf = (amount: number) => formatNumber(Math.max(0, amount));
  const problem = (input && problemOf(input)) || (isShort ? `Only ${onShelf(now)} in stock` : "");
  const change = after === null ? "" : `${onShelf(now)} → ${onShelf(after)}`;
  const element = part.querySelector("[data-after]");
  write(element, problem || change);
  element?.classList.toggle("bad", problem !== "");
}

/** Leaves one team: the recent one that was chosen, or the one that was entered. */
export function chooseTeam(target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || !target.form) return;
  const recent = target.form.querySelectorAll<HTMLInputElement>("input[name=recent_team]");
  const entered = target.form.querySelector<HTMLInputElement>("input[name=team]");
  if (target.name === "recent_team" && entered) entered.value = "";
  if (target === entered && target.value.trim()) for (const team of recent) team.checked = false;
}

/** Hints that a value isn't among the offers of its field, since it may be misspelt. */
function hintUnlisted(field: Element): void {
  if (!(field instanceof HTMLInputElement)) return;
  const hint = field.closest(".field")?.querySelector<HTMLElement>("[data-unlisted]");
  if (!hint) return;
  const key = nameKey(field.value);
  const offers = [...(field.list?.options ?? [])];
  const isListed = key === "" || offers.some((offer) => nameKey(offer.value) === key);
  write(hint, isListed ? "" : hint.dataset.unlisted);
}

function preview(target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  hintUnlisted(target);
  const addition = target.closest<HTMLElement>("[data-addition]");
  if (addition) previewAddition(addition);
  const form = target.closest("form");
  if (form?.querySelector("[data-after]")) previewAction(form);
}

/** Updates every preview on the page. */
export function previewAll(root: ParentNode): void {
  root.querySelectorAll<HTMLElement>("[data-addition]").forEach(previewAddition);
  root.querySelectorAll("[data-after]").forEach((element) => {
    const form = element.closest("form");
    if (form) previewAction(form);
  });
}

/** Updates previews while the user types, anywhere on the page. */
export function watchStockForms(): void {
  document.addEventListener("input", (event) => {
    chooseTeam(event.target);
    preview(event.target);
  });
  document.addEventListener("change", (event) => preview(event.target));
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget instanceof HTMLButtonElement || !(target instanceof HTMLInputElement)) return;
    // One is meant where nothing was entered; what was typed stays, wrong or not. A number that
    // may stay empty begins empty, so it has nothing to select.
    const { min, select } = target.dataset;
    if (min !== "1" || select === undefined || target.value.trim()) return;
    target.value = "1";
    preview(target);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && "select" in target.dataset) target.select();
  });
}
