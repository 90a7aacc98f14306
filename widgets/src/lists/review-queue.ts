/** The keys of the review queue, the remarks typed in it, and the focus when it has moved on. */

const SWITCH = "[data-keys-switch]";

/** The entry of localStorage that switches the keys off, for those who speak or hit keys by mistake. */
const OFF = "review-keys-off";

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

/** Presses what a key stands for; keys rest while somebody types, and where they are switched off. */
export function watchKeys(queue: HTMLElement): void {
  document.addEventListener("keydown", (event) => {
    if (areKeysOn()) pressByKey(queue, event);
  });
  queue.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest(SWITCH)) return;
    switchKeys(!areKeysOn());
    renderSwitch(queue);
  });
  renderSwitch(queue);
}

/** Renders whether the keys are on, after each load of the queue. */
export function renderSwitch(queue: HTMLElement): void {
  queue.querySelector(SWITCH)?.setAttribute("aria-pressed", String(areKeysOn()));
}

function areKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

function switchKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    // Without storage the keys stay on.
  }
}

/** Focuses the check that is to be looked at, or the next button below it after one there. */
export function focusNow(queue: HTMLElement, wasBelow: boolean): void {
  const next = wasBelow && queue.querySelector<HTMLElement>(".queued button");
  (next || queue.querySelector<HTMLElement>("#now"))?.focus({ preventScroll: Boolean(next) });
}

const REMARK = "input[data-draft]";

/** Returns the entry of sessionStorage with the unsent remark on a check; it names the user, too. */
const draftOf = (remark: HTMLInputElement): string => `remark:${remark.dataset.draft}`;

/** Keeps the remark that is being typed: a photo or the next check may be looked at meanwhile. */
export function watchRemark(queue: HTMLElement): void {
  queue.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(REMARK)) saveRemark(target);
  });
  restoreRemark(queue);
}

function saveRemark(remark: HTMLInputElement): void {
  try {
    if (remark.value) sessionStorage.setItem(draftOf(remark), remark.value);
    else sessionStorage.removeItem(draftOf(remark));
  } catch {
    // Without storage a remark lasts as long as its check is on screen.
  }
}

/** Fills in the remark that was typed about the check on screen; what is in the field stays. */
export function restoreRemark(queue: HTMLElement): void {
  const remark = queue.querySelector<HTMLInputElement>(REMARK);
  if (!remark) return;
  if (remark.value) {
    saveRemark(remark);
    return;
  }
  try {
    remark.value = sessionStorage.getItem(draftOf(remark)) ?? "";
  } catch {
    // Without storage there is none.
  }
}

/** Forgets the remark of a review that was made. */
export function forgetRemark(form: Element): void {
  const remark = form.querySelector<HTMLInputElement>(REMARK);
  if (!remark) return;
  remark.value = "";
  saveRemark(remark);
}
