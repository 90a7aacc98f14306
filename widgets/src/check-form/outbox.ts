/**
 * The way of a check to the server: under the one key it was begun with, so that it counts once,
 * whatever was changed, reloaded or sent from another tab since.
 */
import { ApiError, call, NoConnection } from "../shared/api";
import * as drafts from "../shared/drafts";
import type { Body } from "./check";
import type { Props } from "./props";
import { plateKey } from "./vehicles";

export const UNANSWERED = "unanswered";
const SECONDS = 60;
/** The server's words for a key under which something else has counted. */
const KEY_REUSED =
  "Something else was sent under this Idempotency-Key. Check before sending under a new one.";
const ALREADY_SENT =
  "This check was already sent. Look at the checks list; Reset begins another check.";

/** A check that was sent and got no answer: it may have counted. */
export interface Unanswered {
  key: string;
  body: Body;
}

/** A check that counts, as it was sent. */
export interface Taken {
  body: Body;
  warnings: string[];
}

const isReused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 422 && error.message === KEY_REUSED;

/** Returns the names of what differs, items among it; a plate is the same however it is written. */
export function differences(before: Body, now: Body): string[] {
  const isSamePlate = plateKey(before.reg) === plateKey(now.reg);
  const textsOf = ({ items, ...rest }: Body) => {
    const plain = (value: unknown) =>
      isSamePlate && value === rest.reg ? "" : JSON.stringify(value);
    return new Map(
      Object.entries({ ...rest, ...items }).map(([name, value]) => [name, plain(value)]),
    );
  };
  const [then, since] = [textsOf(before), textsOf(now)];
  return [...new Set([...then.keys(), ...since.keys()])].filter(
    (name) => then.get(name) !== since.get(name),
  );
}

export class Outbox {
  private unanswered: Unanswered[];

  constructor(
    private readonly owner: drafts.Owner,
    private readonly division: Props["division"],
    unanswered: Unanswered[],
  ) {
    this.unanswered = unanswered;
  }

  /**
   * Sends a check. What got no answer goes again exactly as it went; where something was changed
   * since, that goes under the same key, and the server tells whether the first had arrived.
   */
  async send(key: string, body: Body): Promise<Taken> {
    const waiting = await this.waiting(key);
    const first = waiting.find((sent) => differences(sent.body, body).length === 0) ?? {
      key,
      body,
    };
    for (const sent of [first, ...waiting.filter((each) => each !== first)]) {
      try {
        return await this.post(sent);
      } catch (error) {
        if (!isReused(error)) throw error;
      }
    }
    throw new ApiError(422, ALREADY_SENT, {}, null);
  }

  /** Forgets what was sent, for another check begins. */
  clear(): void {
    this.unanswered = [];
  }

  /** Returns what got no answer, the newest first, also what another tab sent. */
  private async waiting(key: string): Promise<Unanswered[]> {
    const kept = await drafts.load(this.owner).catch(() => null);
    const elsewhere = (kept?.parts.get(UNANSWERED) ?? []) as Unanswered[];
    const unknown = elsewhere.filter(
      (each) => !this.unanswered.some(({ body }) => differences(each.body, body).length === 0),
    );
    this.unanswered = [...unknown, ...this.unanswered].filter((each) => each.key === key);
    return [...this.unanswered].reverse();
  }

  private async post(sent: Unanswered): Promise<Taken> {
    const { key, body } = sent;
    await this.keep([...this.unanswered.filter((each) => each !== sent), sent]);
    try {
      const { warnings } = await call("POST", `/api/${this.division}/checks`, {
        body,
        key,
        seconds: SECONDS,
      });
      return { body, warnings };
    } catch (error) {
      // An answer tells that this one didn't count.
      if (!(error instanceof NoConnection))
        await this.keep(this.unanswered.filter((each) => each !== sent));
      throw error;
    }
  }

  private async keep(unanswered: Unanswered[]): Promise<void> {
    this.unanswered = unanswered;
    await drafts.put(this.owner, UNANSWERED, unanswered);
  }
}
