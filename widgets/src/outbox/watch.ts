/** What becomes of an entry that is kept, for the page on which it was made. */
import type { KeptState, WatchKept } from "../shared/Kept";
import { subscribe } from "./announcements";
import { sentText } from "./page/times";
import { countOf } from "./store";

export function watchKept(user: number, id: string): WatchKept {
  return (listener) => {
    let state: KeptState = { sent: "", unsent: 1 };
    const report = (changes: Partial<KeptState>) => {
      state = { ...state, ...changes };
      listener(state);
    };
    const count = () =>
      countOf(user).then(
        (unsent) => report({ unsent }),
        () => undefined,
      );
    void count();
    return subscribe((announcement) => {
      if (announcement.type === "sent" && announcement.id === id)
        report({ sent: sentText({ ...announcement.entry, sentAt: Date.now() }) });
      if (announcement.type === "changed") void count();
    });
  };
}
