/**
 * Sends what waits, in pages and in the service worker alike: subjects side by side, the entries of
 * one in their order, and only those of the person who is signed in.
 */
import { announce } from "./announcements";
import { endLeftPauses } from "./editing";
import type { Entry, Failure, Photo } from "./entry";
import { type Line, readLine, type Session, type Status, statusOf } from "./line";
import { alone } from "./locks";
import type { Meaning } from "./replies";
import { dueIn, unblocked, waitAfter } from "./schedule";
import * as store from "./store";
import { sendEntry } from "./transfer";

const AT_ONCE = 3;
/** The statuses of refusals that come from the change itself, so that it wasn't made before. */
const PROOFS = [409, 412];
/** A form is refused with this after its key was looked for, a call's body before. */
const PROOF_OF_FORM = 422;
/** The codes of those that say nothing of that. */
const NO_PROOFS = ["key_reused", "made_long_ago"];
const TIMED_OUT = 408;
const OF_SESSION = ["stale token", "signed out", "other user"];

/** Whether a refusal proves that an earlier request of the entry wasn't made. */
function isProof({ status, code }: Failure, { request }: Entry): boolean {
  const proves = PROOFS.includes(status) || (status === PROOF_OF_FORM && Boolean(request.form));
  return proves && !NO_PROOFS.includes(code);
}

/** Whether a change may have been made, though it failed: the server replies after it has stored it. */
function mayBeMade({ status }: Failure, isAnswered: boolean): boolean {
  return !isAnswered || status === TIMED_OUT || status >= 500;
}

/** Returns what a failed try leaves in an entry; `begun` is the entry before its request left, if it did. */
function changesAfter(meaning: Meaning, entry: Entry, begun: Entry | null): Partial<Entry> {
  const wasUnanswered = (begun ?? entry).isUnanswered;
  const tries = entry.tries + 1;
  const answeredTries = entry.answeredTries + 1;
  if (meaning.kind === "conflict" || meaning.kind === "refused") {
    const isUnanswered = wasUnanswered && !isProof(meaning.failure, entry);
    return { state: meaning.kind, failure: meaning.failure, isUnanswered, tries, answeredTries };
  }
  if (meaning.kind !== "again")
    return { isUnanswered: wasUnanswered, tries, nextAt: Date.now() + waitAfter(tries, null) };
  return {
    failure: meaning.failure,
    isUnanswered:
      wasUnanswered || (begun !== null && mayBeMade(meaning.failure, meaning.isAnswered)),
    tries,
    answeredTries: meaning.isAnswered ? answeredTries : entry.answeredTries,
    nextAt: Date.now() + waitAfter(tries, meaning.retryAfter),
  };
}

class Round {
  /** Read once: what others change meanwhile is found when its request would leave. */
  private entries: Entry[] = [];
  private line: Promise<Line> | null = null;
  /** What the last test of the line found; null before the first. */
  private status: Status | null = null;
  private readonly tried = new Set<string>();
  private readonly busy = new Map<string, Promise<void>>();

  /** Sends all that is due; returns what the line was like, null if nothing was due. */
  async run(): Promise<Status | null> {
    this.entries = await endLeftPauses();
    try {
      for (;;) {
        const next = await this.next();
        if (next) this.start(next);
        else if (this.busy.size === 0) break;
        if (!next || this.busy.size >= AT_ONCE) await Promise.race(this.busy.values());
      }
    } finally {
      // Nothing may go on sending once the lock is free.
      await Promise.allSettled(this.busy.values());
    }
    return this.status;
  }

  /** Returns the next entry that can be sent now; null if there is none. */
  private async next(): Promise<Entry | null> {
    const now = Date.now();
    const due = unblocked(this.entries).filter(
      (entry) => !this.tried.has(entry.id) && dueIn(entry, now) === 0,
    );
    const session = due.length > 0 ? await this.session() : null;
    if (!session) return null;
    const isFree = (entry: Entry) => !this.busy.has(entry.subject);
    return due.find((entry) => entry.user === session.user && isFree(entry)) ?? null;
  }

  /** Returns the session, null without a line or a sign-in. */
  private async session(): Promise<Session | null> {
    this.line ??= readLine();
    const line = await this.line;
    this.status = statusOf(line);
    return line.state === "online" ? line.session : null;
  }

  private start(entry: Entry): void {
    this.tried.add(entry.id);
    const sending = this.send(entry).finally(() => this.busy.delete(entry.subject));
    this.busy.set(entry.subject, sending);
  }

  /** Leaves out an entry that is gone, or was changed by others. */
  private drop(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }

  private async send(entry: Entry): Promise<void> {
    const photos = entry.photos.length > 0 ? await store.photosOf(entry.id) : [];
    for (const isRepeat of [false, true]) {
      const session = await this.session();
      if (session?.user !== entry.user) return;
      let begun: Entry | null = null;
      const meaning = await sendEntry(entry, photos, session, async () => {
        const before = await store.begin(entry);
        // Once more after its photos, it carries the mark of the first time.
        begun ??= before;
        return before !== null;
      });
      if (meaning === null) return this.drop(entry);
      const isOfSession = OF_SESSION.includes(meaning.kind);
      // Before anything else is sent, the line is tested again, and the token renewed.
      if (isOfSession || (meaning.kind === "again" && !meaning.isAnswered)) this.line = null;
      if (isOfSession && !isRepeat) await store.restore(entry, begun);
      else {
        await this.settle(entry, begun, meaning);
        return;
      }
    }
  }

  private async settle(entry: Entry, begun: Entry | null, meaning: Meaning): Promise<void> {
    if (meaning.kind === "sent") {
      this.drop(entry);
      try {
        await store.removeSent(entry, meaning.reply);
      } finally {
        // The server has it, even if the browser can't remove it.
        announce({ type: "sent", id: entry.id, entry, reply: meaning.reply });
      }
    } else {
      const changes = changesAfter(meaning, entry, begun);
      if (await store.updateSent(entry, changes)) Object.assign(entry, changes);
      else this.drop(entry);
    }
    announce({ type: "changed" });
  }
}

let queued: Promise<Status | null> | null = null;

/** Sends all that is due, while no other tab sends; returns what the line was like, null if nothing was due. */
export function sendDue(): Promise<Status | null> {
  if (queued) return queued;
  const sending = alone(async () => {
    queued = null;
    const status = await new Round().run();
    if (status) announce({ type: "status", status });
    return status;
  }).finally(() => {
    if (queued === sending) queued = null;
  });
  queued = sending;
  return sending;
}

/** Sends an entry that this browser couldn't keep; null if it may not have arrived. */
export async function sendUnkept(entry: Entry, photos: readonly Photo[]): Promise<Meaning | null> {
  const line = await readLine();
  if (line.state !== "online" || line.session.user !== entry.user) return null;
  return sendEntry(entry, photos, line.session, async () => true);
}
