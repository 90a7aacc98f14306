/** Fills in what was agreed when an item was ordered last, where nothing else was entered. */

const PROPOSED = ["supplier", "unit_cost", "office"];

function defaultOf(input: HTMLInputElement | HTMLSelectElement): string {
  return input instanceof HTMLInputElement ? input.defaultValue : (input.options[0]?.value ?? "");
}

/** Proposes the values of the last order that the server has named, else the form's own. */
export function proposeLastOrder(part: HTMLElement): void {
  const last = part.querySelector<HTMLElement>("[data-last-order]");
  for (const name of PROPOSED) {
    const input = part.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`);
    if (!input || input.value !== (input.dataset.proposed ?? defaultOf(input))) continue;
    input.value = last?.getAttribute(`data-${name}`) ?? defaultOf(input);
    input.dataset.proposed = input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
