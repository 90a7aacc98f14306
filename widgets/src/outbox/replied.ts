/** What the server answered to checks that were sent while nobody waited for it. */
import { isRecord } from "../shared/requests";
import type { SentEntry } from "./database";
import { sentBy } from "./store";

const DAY_MS = 24 * 60 * 60 * 1000;
/** What a sentence begins with about a vehicle that mustn't be driven. */
const STOP = "Stop: ";

/** Returns the texts under a name of a reply; none where it has no such list. */
export function textsIn(reply: unknown, name: string): string[] {
  const texts = isRecord(reply) ? reply[name] : null;
  return Array.isArray(texts) ? texts : [];
}

/** Returns what a reply says of a check; nothing for the replies to other changes. */
export function sentencesIn(reply: unknown): string[] {
  const messages = textsIn(reply, "messages");
  return messages.length > 0 ? [...messages, ...textsIn(reply, "warnings")] : [];
}

export const isStop = (sentence: string): boolean => sentence.startsWith(STOP);

/** Returns what a user has sent within a day whose reply says something that they haven't seen. */
export async function unseenBy(user: number): Promise<SentEntry[]> {
  const isUnseen = ({ sentAt, reply, isSeen }: SentEntry) =>
    !isSeen && Math.abs(Date.now() - sentAt) < DAY_MS && sentencesIn(reply).length > 0;
  return (await sentBy(user)).filter(isUnseen);
}
