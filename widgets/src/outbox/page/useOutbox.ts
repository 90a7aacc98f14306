/** What the page shows, read again whenever something has changed. */
import { useCallback, useEffect, useState } from "react";
import { subscribe } from "../announcements";
import type { SentEntry } from "../database";
import type { Entry } from "../entry";
import { type Unsent, unsentOf } from "../hint";
import type { Status } from "../line";
import { sendDue } from "../sender";
import * as store from "../store";
import { watchLine } from "../triggers";
import type { Props } from "./props";

export interface Outbox {
  /** The person's own entries; null while they are read. */
  entries: Entry[] | null;
  /** What other people have here. */
  others: Unsent[];
  sent: SentEntry[];
  status: Status | null;
  /** Why nothing can be read; '' without a problem. */
  problem: string;
}

const EMPTY: Outbox = { entries: null, others: [], sent: [], status: null, problem: "" };

async function read(user: number): Promise<Partial<Outbox>> {
  try {
    const [all, sent] = await Promise.all([store.all(), store.sentBy(user)]);
    const entries = all.filter((entry) => entry.user === user);
    const others = unsentOf(all).filter((unsent) => unsent.user !== user);
    const unseen = sent.filter(({ isSeen }) => !isSeen).map(({ id }) => id);
    // Where that fails, the replies are shown once more.
    if (unseen.length > 0) store.markSeen(unseen).catch(() => {});
    return { entries, others, sent, problem: "" };
  } catch (error) {
    return { entries: [], problem: error instanceof Error ? error.message : "" };
  }
}

/** Returns what waits here, and a function that reads it again. */
export function useOutbox({ user }: Props): [Outbox, reload: () => Promise<void>] {
  const [outbox, setOutbox] = useState(EMPTY);
  const reload = useCallback(async () => {
    const changes = await read(user);
    setOutbox((before) => ({ ...before, ...changes }));
  }, [user]);
  useEffect(() => {
    const unsubscribe = subscribe((announcement) => {
      if (announcement.type === "status")
        setOutbox((before) => ({ ...before, status: announcement.status }));
      void reload();
    });
    void reload();
    watchLine();
    // Its end shows what the line is like; what can't be read is reported by `reload`.
    sendDue().catch(() => {});
    return unsubscribe;
  }, [reload]);
  return [outbox, reload];
}
