/** What all tabs and the service worker tell each other about the outbox. */
import type { Entry } from "./entry";
import type { Status } from "./line";

export type Announcement =
  /** Entries were added, changed or removed. */
  | { type: "changed" }
  | { type: "sent"; id: string; entry: Entry; reply: unknown }
  /** A round of sending has ended. */
  | { type: "status"; status: Status };

/** The entries whose outcome somebody waits for on this page, which shows it itself. */
export const awaited = new Set<string>();

type Listener = (announcement: Announcement) => void;

const NAME = "quartermaster-outbox";
const listeners = new Set<Listener>();
let channel: BroadcastChannel | null = null;

function open(): BroadcastChannel | null {
  if (channel === null && typeof BroadcastChannel !== "undefined") {
    channel = new BroadcastChannel(NAME);
    channel.onmessage = ({ data }: MessageEvent<Announcement>) => notify(data);
  }
  return channel;
}

function notify(announcement: Announcement): void {
  for (const listener of listeners) listener(announcement);
}

/** Calls a listener with what is announced here and elsewhere; returns how to end that. */
export function subscribe(listener: Listener): () => void {
  open();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Announces something here and to all tabs and the service worker. */
export function announce(announcement: Announcement): void {
  notify(announcement);
  open()?.postMessage(announcement);
}
