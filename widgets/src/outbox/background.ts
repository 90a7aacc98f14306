/** What the browser itself does for the outbox: keeps its data, sends in the background, counts on the icon. */

/** The tag under which the browser wakes the service worker once there is a line. */
export const SYNC_TAG = "quartermaster-outbox";

const MIN_FREE_BYTES = 10 * 1024 * 1024;

interface WithSync {
  sync?: { register(tag: string): Promise<void> };
}

/** Returns whether the browser sends with the page closed. */
export function hasBackgroundSync(): boolean {
  return (
    typeof ServiceWorkerRegistration !== "undefined" &&
    "sync" in ServiceWorkerRegistration.prototype
  );
}

async function registration(): Promise<(ServiceWorkerRegistration & WithSync) | undefined> {
  const own = (globalThis as { registration?: ServiceWorkerRegistration }).registration;
  return own ?? (await navigator.serviceWorker?.getRegistration());
}

/** Has the service worker send when there is a line again, where the browser can. */
export async function registerSync(): Promise<void> {
  try {
    await (await registration())?.sync?.register(SYNC_TAG);
  } catch {
    // It isn't allowed, or there is no worker: pages send.
  }
}

/** Returns whether the browser promises not to delete what is kept; null where it doesn't say. */
export async function isPersisted(): Promise<boolean | null> {
  try {
    return (await navigator.storage?.persisted?.()) ?? null;
  } catch {
    return null;
  }
}

/** Asks the browser not to delete what is kept when it needs room. */
export async function persist(): Promise<void> {
  try {
    if ((await isPersisted()) === false) await navigator.storage.persist();
  } catch {
    // It decides by itself.
  }
}

/** Shows a number on the icon of the installed app. */
export async function showBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  } catch {
    // It isn't installed.
  }
}

/** Returns whether a few photos more would fill what the browser may use. */
export async function isNearlyFull(): Promise<boolean> {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    return quota !== undefined && usage !== undefined && quota - usage < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
