/** When entries were made and sent, as the server's clock has it. */
import { since } from "../../shared/times";
import type { SentEntry } from "../database";
import type { Entry } from "../entry";

const at = (moment: number, { clockOffset }: Pick<Entry, "clockOffset">): string =>
  since(new Date(moment + (clockOffset ?? 0)));

/** Returns when an entry was made, such as '9:40' or '09:40 on 20 Nov'. */
export function madeText(entry: Entry): string {
  return at(entry.madeAt, entry);
}

/** Returns 'Sent 14:02, made 9:40.' */
export function sentText(sent: SentEntry): string {
  return `Sent ${at(sent.sentAt, sent)}, made ${at(sent.madeAt, sent)}.`;
}
