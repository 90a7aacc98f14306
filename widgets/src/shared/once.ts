/** Idempotency keys: the same content keeps its key, other content gets a new one. */

/** The content last sent, and its key. */
export interface Sent {
  content: string;
  key: string;
}

/** Returns a random key; `crypto.randomUUID` needs https, which a local network may not have. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Returns the key for this content: the last one, if the content is the same. */
export function keyFor(content: string, before: Sent | null): Sent {
  return before?.content === content ? before : { content, key: newKey() };
}
