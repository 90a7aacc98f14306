/** When entries were made and sent, as the server's clock has it. */
import { since } from "../../shared/times";
import type { SentEntry } from "../database";
import type { Entry } from "../entry";

function at(moment: number, { clockOffset }: Pick<Entry, "clockOffset">): string {
  const offset = clockOffset ?? 0;
  return since(new Date(moment + offset), new Date(Date.now() + offset));
}

/** Returns when an entry was made, such as '9:40' or '09:40 on 20 Nov'. */
export function madeText(entry: Entry): string {
  return at(entry.madeAt, entry);
}

/** Returns 'Sent 14:02, made 9:40.', or only when it was sent if that is the same. */
export function sentText(entry: Pick<SentEntry, "sentAt" | "madeAt" | "clockOffset">): string {
  const [sent, made] = [at(entry.sentAt, entry), at(entry.madeAt, entry)];
  return sent === made ? `Sent ${sent}.` : `Sent ${sent}, made ${made}.`;
}
