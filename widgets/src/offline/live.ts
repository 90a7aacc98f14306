/** The way back from the shell to the page of the server. */

const WENT = "went-live";
/** After so long, the page is opened by itself again: one that fails at once must not load in circles. */
const AGAIN_AFTER_MS = 30_000;

/** The events by which somebody begins to use the page. */
export const TOUCHES = ["pointerdown", "keydown", "input"];

/** Opens the page of the server; the service worker waits for it, however long it takes. */
export const goLive = (): void => openLive();

/** Does so unless the page is touched before the service worker has answered. */
function openLive(touch?: AbortSignal): void {
  const worker = navigator.serviceWorker?.controller;
  const open = () => {
    if (!touch?.aborted) location.reload();
  };
  if (!worker) {
    open();
    return;
  }
  const { port1, port2 } = new MessageChannel();
  // A message that came after the page was asked for would hold up the next one instead.
  port1.onmessage = open;
  worker.postMessage({ type: "await", url: location.href }, [port2]);
}

/** Opens the page of the server by itself, unless that was tried just now. */
export function goLiveOnce(): void {
  try {
    const wentAt = Number(sessionStorage.getItem(WENT));
    if (Math.abs(Date.now() - wentAt) < AGAIN_AFTER_MS) return;
    sessionStorage.setItem(WENT, String(Date.now()));
  } catch {
    return;
  }
  const touch = new AbortController();
  openLive(touch.signal);
  // On a slow line the page can be used until the other one comes: what is begun now must not go with it.
  const stay = () => {
    touch.abort();
    stop();
  };
  for (const name of TOUCHES) addEventListener(name, stay, { signal: touch.signal });
}
