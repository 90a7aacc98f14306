/** When a page sends: at once, when the line may be back, and when the next entry is due. */
import { subscribe } from "./announcements";
import type { Entry } from "./entry";
import { unsentOf, writeHint } from "./hint";
import type { Status } from "./line";
import { nextDueIn, waitAfter } from "./schedule";
import { sendDue } from "./sender";
import * as store from "./store";

/** Changes that come together are sent together. */
const SETTLE_MS = 1_000;
const AGAIN_MS = 5_000;
/** A test of the line is small, so it is repeated sooner than a change. */
const MAX_TEST_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let isWatching = false;

/** Returns when to send again; null until something happens. */
function nextIn(entries: readonly Entry[], status: Status | null): number | null {
  if (status?.state === "signed out") return null;
  if (status?.state === "busy") return waitAfter(failures, status.retryAfter);
  if (status?.state === "no connection") return Math.min(waitAfter(failures, null), MAX_TEST_MS);
  const sendable = status ? entries.filter(({ user }) => user === status.user) : entries;
  const due = nextDueIn(sendable, Date.now());
  return due === null ? null : Math.max(due, AGAIN_MS);
}

async function planNext(status: Status | null): Promise<void> {
  const entries = await store.all();
  writeHint(unsentOf(entries));
  failures = status === null || status.state === "online" ? 0 : failures + 1;
  const wait = nextIn(entries, status);
  if (wait !== null) sendIn(wait);
}

function sendIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(send, ms);
}

function send(): void {
  clearTimeout(timer);
  // A database that can't be read now is read again with the next event.
  sendDue()
    .then(planNext)
    .catch(() => {});
}

/** Sends now and from now on; once per page, and nothing in a worker. */
export function watchLine(): void {
  if (isWatching || typeof document === "undefined") return;
  isWatching = true;
  const restart = () => {
    failures = 0;
    send();
  };
  addEventListener("online", restart);
  addEventListener("pageshow", restart);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) restart();
  });
  subscribe(({ type }) => {
    if (type === "changed") sendIn(SETTLE_MS);
  });
  send();
}
