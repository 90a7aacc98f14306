/**
 * Sends a check under the key that it was started with, so that it is accepted only once, even when
 * it was changed, reloaded or sent from another tab meanwhile.
 */
import { ApiError, call, NoConnection } from "../shared/api";
import * as drafts from "../shared/drafts";
import type { Body } from "./check";
import type { Props } from "./props";
import { plateKey } from "./vehicles";

export const UNANSWERED = "unanswered";
const TIMEOUT_SECONDS = 60;
const ALREADY_SENT =
  "This check was already sent. See the checks list. To start another check, choose Reset.";

/** A request that was sent and got no reply: the server may have accepted it. */
export interface Unanswered {
  key: string;
  body: Body;
}

/** A check that the server accepted, as it was sent. */
export interface Accepted {
  body: Body;
  warnings: string[];
}

/** Whether the server has accepted another request under the same key. */
const isKeyReused = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "key_reused";

/** Returns the names of the fields and items that differ; spaces and case of a plate are ignored. */
export function differences(first: Body, second: Body): string[] {
  const isSamePlate = plateKey(first.reg) === plateKey(second.reg);
  const textsOf = ({ items, ...rest }: Body) => {
    const plain = (value: unknown) =>
      isSamePlate && value === rest.reg ? "" : JSON.stringify(value);
    return new Map(
      Object.entries({ ...rest, ...items }).map(([name, value]) => [name, plain(value)]),
    );
  };
  const [a, b] = [textsOf(first), textsOf(second)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

const isSame = (first: Body, second: Body): boolean => differences(first, second).length === 0;

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
   * Sends a check. A request without a reply is repeated exactly as it was sent; if the check was
   * changed since, the new version is sent first, under the same key. The server's code `key_reused`
   * means that it has accepted an earlier version.
   */
  async send(key: string, body: Body): Promise<Accepted> {
    const waiting = await this.loadUnanswered(key);
    const first = waiting.find((sent) => isSame(sent.body, body)) ?? { key, body };
    for (const request of [first, ...waiting.filter((each) => each !== first)]) {
      try {
        return await this.post(request);
      } catch (error) {
        if (!isKeyReused(error)) throw error;
      }
    }
    throw new ApiError(422, ALREADY_SENT, {}, null);
  }

  /** Removes all requests, because another check is started. */
  clear(): void {
    this.unanswered = [];
  }

  /** Returns the requests without a reply, the newest first, including those of other tabs. */
  private async loadUnanswered(key: string): Promise<Unanswered[]> {
    const draft = await drafts.load(this.owner).catch(() => null);
    const saved = (draft?.parts.get(UNANSWERED) ?? []) as Unanswered[];
    const fromOtherTabs = saved.filter(
      (each) => !this.unanswered.some(({ body }) => isSame(each.body, body)),
    );
    this.unanswered = [...fromOtherTabs, ...this.unanswered].filter((each) => each.key === key);
    return [...this.unanswered].reverse();
  }

  private async post(request: Unanswered): Promise<Accepted> {
    const { key, body } = request;
    await this.save([...this.unanswered.filter((each) => each !== request), request]);
    try {
      const { warnings } = await call("POST", `/api/${this.division}/checks`, {
        body,
        key,
        seconds: TIMEOUT_SECONDS,
      });
      return { body, warnings };
    } catch (error) {
      // A reply proves that this request was not accepted.
      if (!(error instanceof NoConnection)) {
        await this.save(this.unanswered.filter((each) => each !== request));
      }
      throw error;
    }
  }

  private async save(unanswered: Unanswered[]): Promise<void> {
    this.unanswered = unanswered;
    await drafts.put(this.owner, UNANSWERED, unanswered);
  }
}
