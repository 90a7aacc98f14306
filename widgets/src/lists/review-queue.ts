/** The keys of the review queue, and the focus when it has moved on. */
import { HTMX } from "../shared/htmx-events";
import { on } from "./events";

/** What is pressed elsewhere belongs to the control that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
}

/** Returns whether Enter would press the control that has the focus. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a, button, summary") !== null;
}

function pressByKey(queue: HTMLElement, event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(target)) return;
  if (key === "Enter" && isControl(target)) return;
  const name = CSS.escape(key.toLowerCase());
  const control = queue.querySelector<HTMLElement>(`[data-key="${name}"]`);
  if (!control) return;
  event.preventDefault();
  control.click();
}

export function watchReviewQueue(queue: HTMLElement): void {
  document.addEventListener("keydown", (event) => pressByKey(queue, event));
  let wasBelow = false;
  on(HTMX.beforeRequest, ({ elt }) => {
    wasBelow = elt.closest(".queued") !== null;
  });
  on(HTMX.afterSettle, ({ target }) => {
    if (target !== queue) return;
    const next = wasBelow && queue.querySelector<HTMLElement>(".queued button");
    (next || queue.querySelector<HTMLElement>("#now"))?.focus({ preventScroll: Boolean(next) });
  });
}
