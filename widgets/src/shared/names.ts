/** When two names mean the same item, and how items are searched. */

/** Returns what equal names share; near enough for a preview, the server decides again. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Returns a test for names that hold every word typed, in any order and case. */
export function matching(typed: string): (key: string) => boolean {
  const words = nameKey(typed).split(" ");
  return (key) => words.every((word) => key.includes(word));
}
