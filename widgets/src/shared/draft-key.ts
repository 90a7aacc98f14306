/** The idempotency key of a draft: the same content is sent under the same key, after a reload too. */
import * as drafts from "./drafts";
import { keyFor, type Sent } from "./once";

/** The part of a draft that has its content as it was sent last, and its key. */
const SENT = "sent";

export class DraftKey {
  private sent: Sent | null = null;

  constructor(private readonly owner: drafts.Owner) {}

  /** Takes over the key that a saved draft was last sent under. */
  restore(draft: drafts.Draft | null): void {
    this.sent = (draft?.parts.get(SENT) as Sent | undefined) ?? null;
  }

  /** Returns the key to send this content under, and saves it with the draft. */
  async keyFor(content: string): Promise<string> {
    const previous = this.sent;
    this.sent = keyFor(content, previous);
    if (this.sent !== previous) await drafts.put(this.owner, SENT, this.sent);
    return this.sent.key;
  }
}
