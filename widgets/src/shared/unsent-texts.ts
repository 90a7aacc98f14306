/** What people read wherever something waits in this browser until it is sent. */

export const KEPT = "Kept on this phone. It counts once it is sent.";

/** Returns '2 not sent yet'. */
export function notSentYet(count: number): string {
  return `${count} not sent yet`;
}
