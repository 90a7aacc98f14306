/** The draft of a count: its parts are written to the browser's database shortly after a change. */
import { DraftKey } from "../shared/draft-key";
import * as drafts from "../shared/drafts";
import { COUNT_LIST, EDITED_COUNT, LINE } from "../shared/drafts";
import type { CountLine } from "./line";
import type { List } from "./list";

const WRITE_AFTER_MS = 50;

/** Returns the name of a line's part. */
export function linePart(item: string): string {
  return LINE + item;
}

/** The list is a draft of its own, so that a list without counts isn't offered as a count. */
export function listOwnerOf(owner: drafts.Owner): drafts.Owner {
  return { ...owner, kind: COUNT_LIST };
}

export class CountDraft {
  /** Whether there is unsent work. */
  hasWork: boolean;
  /** When a part was last saved; null without unsent work. */
  savedAt: Date | null;
  private readonly key: DraftKey;
  private readonly parts: ReadonlyMap<string, unknown>;
  private unwritten = new Map<string, unknown>();
  private removed: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly owner: drafts.Owner,
    private readonly list: List,
    saved: drafts.Draft | null,
    private isListSaved: boolean,
  ) {
    this.hasWork = saved !== null;
    this.savedAt = saved?.until ?? null;
    this.parts = saved?.parts ?? new Map();
    this.key = new DraftKey(owner);
    this.key.restore(saved);
  }

  /** Returns a part as it was when the count was resumed. */
  part<Value>(name: string): Value | undefined {
    return this.parts.get(name) as Value | undefined;
  }

  /** Returns the id of the entry of the outbox that is edited here. */
  get edited(): string | undefined {
    return this.part(EDITED_COUNT);
  }

  line(item: string): CountLine | undefined {
    return this.part(linePart(item));
  }

  /** Saves parts soon, and removes the parts of some kinds first. */
  put(parts: [string, unknown][], removed: string[] = []): void {
    // Written once, `begun` dates the count: the lines are written again with every change.
    if (!this.hasWork) this.unwritten.set("begun", true);
    this.hasWork = true;
    this.savedAt = new Date();
    for (const kind of removed) drafts.removeKind(this.unwritten, kind);
    for (const [part, value] of parts) this.unwritten.set(part, value);
    this.removed.push(...removed);
    // After the frame that shows the change: on a slow phone, writing would delay a keystroke.
    this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS);
  }

  /** Saves the list as it was loaded: without it, a count can't be resumed offline. */
  saveList(): void {
    if (this.isListSaved) return;
    this.isListSaved = true;
    void drafts.putMany(listOwnerOf(this.owner), Object.entries(this.list));
  }

  /** Marks the list as changed, so that it is saved again. */
  changeList(): void {
    this.isListSaved = false;
  }

  /** Writes the parts that are not written yet. */
  flush = async (): Promise<void> => {
    this.stopTimer();
    if (this.unwritten.size === 0 && this.removed.length === 0) return;
    this.saveList();
    const [parts, removed] = [this.unwritten, this.removed];
    this.unwritten = new Map();
    this.removed = [];
    await drafts.putMany(this.owner, parts, removed);
  };

  /** Returns the key to send this content under; it is saved with the count. */
  async keyFor(content: string): Promise<string> {
    await this.flush();
    this.saveList();
    return this.key.keyFor(content);
  }

  async discard(): Promise<void> {
    this.hasWork = false;
    this.isListSaved = true;
    this.stopTimer();
    this.unwritten.clear();
    this.removed = [];
    await Promise.all([drafts.discard(this.owner), drafts.discard(listOwnerOf(this.owner))]);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
