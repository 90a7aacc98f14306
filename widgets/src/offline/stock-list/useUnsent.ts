/** What a person has not sent yet, and what was sent since the page was opened. */
import { useEffect, useState } from "react";
import { entriesOf, subscribe } from "../../outbox";
import type { Entry } from "../../outbox/entry";
import { isOfStock } from "../../shared/stores";
import { showBooked } from "../move-dialog/kept";

interface Entries {
  waiting: Entry[];
  /** What the server has, but not yet what was read of it. */
  sent: Entry[];
}

export function useUnsent(user: number): Entries {
  const [waiting, setWaiting] = useState<Entry[]>([]);
  const [sent, setSent] = useState<Entry[]>([]);
  useEffect(() => {
    // A database that can't be read shows what the books have.
    const read = () => entriesOf(user).then(setWaiting, () => {});
    void read();
    return subscribe((announcement) => {
      if (announcement.type === "changed") void read();
      if (announcement.type !== "sent") return;
      const { entry, reply } = announcement;
      if (isOfStock(entry.subject)) showBooked(reply);
      setWaiting((now) => now.filter(({ id }) => id !== entry.id));
      setSent((now) => [...now, entry]);
    });
  }, [user]);
  return { waiting, sent };
}
