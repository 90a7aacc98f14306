/** Keys that make a change count once: the same content keeps its key, other content gets a new one. */

/** What was last sent, and under which key. */
export interface Sent {
  content: string;
  key: string;
}

/** Makes a key; `crypto.randomUUID` would need https also on a depot's own network. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Returns the key to send this content with: the one it was sent with before, if it was. */
export function keyFor(content: string, before: Sent | null): Sent {
  return before?.content === content ? before : { content, key: newKey() };
}

/** Makes an id in the form of a UUID, for a thing that is new. */
export function newUuid(): string {
  return newKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-a$4-");
}
