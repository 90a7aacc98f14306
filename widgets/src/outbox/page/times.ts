/** When entries were made and sent, as the server's clock has it, and of which day they are. */
import { londonDay, since } from "../../shared/times";
import type { SentEntry } from "../database";
import type { Entry } from "../entry";

type Made = Pick<Entry, "madeAt" | "clockOffset">;

const dayName = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

const moment = (time: number, { clockOffset }: Pick<Made, "clockOffset">): Date =>
  new Date(time + (clockOffset ?? 0));
const at = (time: number, made: Pick<Made, "clockOffset">): string =>
  since(moment(time, made), moment(Date.now(), made));

/** Returns when an entry was made, such as '9:40' or '09:40 on 20 Nov'. */
export function madeText(entry: Entry): string {
  return at(entry.madeAt, entry);
}

/** Returns 'Sent 14:02, made 9:40.', or only when it was sent if that is the same. */
export function sentText(entry: Pick<SentEntry, "sentAt" | "madeAt" | "clockOffset">): string {
  const [sent, made] = [at(entry.sentAt, entry), at(entry.madeAt, entry)];
  return sent === made ? `Sent ${sent}.` : `Sent ${sent}, made ${made}.`;
}

/** Returns 'dated 21 Nov 2026' for a change of another day than the one on which it was made, else ''. */
export function datedText(day: string, made: Made): string {
  const date = new Date(day);
  if (day === londonDay(moment(made.madeAt, made)) || Number.isNaN(date.getTime())) return "";
  return `dated ${dayName.format(date)}`;
}
