/** What becomes of an entry that is kept, for the page on which it was made. */
import type { KeptState, WatchKept } from "../shared/Kept";
import { since } from "../shared/times";
import { subscribe } from "./announcements";
import { entriesOf } from "./index";

/** Returns when an entry was sent, and made if that was another time. */
function sentText(madeAt: number): string {
  const [sent, made] = [since(new Date()), since(new Date(madeAt))];
  return sent === made ? `Sent ${sent}.` : `Sent ${sent}, made ${made}.`;
}

export function watchKept(user: number, id: string): WatchKept {
  return (listener) => {
    let state: KeptState = { sent: "", unsent: 1 };
    const report = (changes: Partial<KeptState>) => {
      state = { ...state, ...changes };
      listener(state);
    };
    const count = () =>
      entriesOf(user).then(
        ({ length }) => report({ unsent: length }),
        () => undefined,
      );
    void count();
    return subscribe((announcement) => {
      if (announcement.type === "sent" && announcement.id === id)
        report({ sent: sentText(announcement.entry.madeAt) });
      if (announcement.type === "changed") void count();
    });
  };
}
