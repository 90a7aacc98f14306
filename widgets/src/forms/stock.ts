/** The live parts of the stock dialogs, for fields that come and go: events are heard on the page. */
import { formatNumber, formatPence, parsePence, parseWhole } from "../shared/money";

const VERBS: Record<string, string> = {
  delivery: "Deliver",
  withdrawal: "Withdraw",
  transfer: "Transfer",
};

function valueOf(root: ParentNode, name: string): string {
  return root.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? "";
}

function write(element: Element | null | undefined, text = ""): void {
  if (element && element.textContent !== text) element.textContent = text;
}

function writeNew(part: Element, what: string, typed: string): void {
  const shown = part.querySelector<HTMLElement>(`[data-new=${what}]`);
  write(shown, typed || (shown?.dataset.old ?? ""));
}

/** Shows what an addition comes to, and whether it can be saved; the part may name its fields. */
export function previewAddition(part: HTMLElement): void {
  const { name = "name", quantity = "amount", price: priceName = "unit_price" } = part.dataset;
  const amountText = valueOf(part, quantity).trim();
  const amount = parseWhole(amountText);
  const kept = part.querySelector<HTMLElement>("[data-old-pence]")?.dataset.oldPence;
  const priceText = valueOf(part, priceName).trim();
  const price = priceText === "" && kept ? Number(kept) : parsePence(priceText);
  const isReady = valueOf(part, name).trim() !== "" && amount !== null && amount > 0;
  const known = amount !== null && price !== null;
  const total = known ? formatPence(BigInt(amount) * BigInt(price)) : "";
  const sum = known
    ? `${formatNumber(amount)} × ${formatPence(price)} = ${total}`
    : amount === null && amountText
      ? `"${amountText}" is not a whole number`
      : price === null && priceText
        ? `"${priceText}" is not a price in pounds`
        : "";
  write(part.querySelector("[data-total]"), sum);
  const badge = part.querySelector<HTMLElement>("[data-badge]");
  write(badge, isReady ? badge?.dataset.ready : badge?.dataset.missing);
  badge?.classList.toggle("ok", isReady);
  write(part.querySelector("[data-new=amount]"), amount === null ? "…" : formatNumber(amount));
  const typedPrice = priceText !== "" && price !== null;
  writeNew(part, "category", valueOf(part, "category").trim());
  writeNew(part, "price", typedPrice ? formatPence(price) : "");
  const save = part.closest("form")?.querySelector<HTMLButtonElement>("button[data-ready]");
  if (save) save.disabled = !isReady;
}

/** Names the button by what it will do, and shows what will be left. */
export function previewAction(part: Element): void {
  const chosen = part.querySelector<HTMLInputElement>("input[name=action]:checked");
  const action = chosen?.value ?? "withdrawal";
  const delivers = action === "delivery";
  write(part.querySelector("button.primary"), VERBS[action]);
  part.querySelectorAll<HTMLElement>("[data-only]").forEach((only) => {
    only.hidden = only.dataset.only !== action;
  });
  const now = Number(part.querySelector<HTMLElement>("[data-amount]")?.dataset.amount);
  const quantity = parseWhole(valueOf(part, "quantity"));
  const after = quantity === null ? null : delivers ? now + quantity : now - quantity;
  const said =
    after === null
      ? ""
      : after < 0
        ? `Only ${formatNumber(now)} in stock`
        : `${formatNumber(now)} → ${formatNumber(after)}`;
  const shown = part.querySelector("[data-after]");
  write(shown, said);
  shown?.classList.toggle("bad", after !== null && after < 0);
}

function preview(target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  const addition = target.closest<HTMLElement>("[data-addition]");
  if (addition) previewAddition(addition);
  const form = target.closest("form");
  if (form?.querySelector("[data-after]")) previewAction(form);
}

/** Shows every preview on the page as its fields stand. */
export function previewAll(root: ParentNode): void {
  root.querySelectorAll<HTMLElement>("[data-addition]").forEach(previewAddition);
  root.querySelectorAll("[data-after]").forEach((shown) => {
    const form = shown.closest("form");
    if (form) previewAction(form);
  });
}

/** Hears what is typed anywhere on the page. */
export function watchStockForms(): void {
  document.addEventListener("input", (event) => preview(event.target));
  document.addEventListener("change", (event) => preview(event.target));
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // What is sent is what was typed: a value is only mended on the way to another field.
    if (relatedTarget instanceof HTMLButtonElement) return;
    if (target instanceof HTMLInputElement && target.dataset.least) {
      const least = Number(target.dataset.least);
      if (Number(target.value.trim() || "0") < least) target.value = String(least);
      preview(target);
    }
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && "select" in target.dataset) target.select();
  });
  previewAll(document);
}
