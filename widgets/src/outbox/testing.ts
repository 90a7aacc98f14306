/** A fake server for the tests of the outbox: it makes each change once, by its key. */
import { afterEach, beforeEach, vi } from "vitest";
import { openDatabase } from "./database";
import { type Entry, makeEntry, type NewEntry } from "./entry";

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A reply, or what happens instead of one. */
export type Answer =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | "no reply";

const OURS = { "Content-Security-Policy": "default-src 'none'" };

export const PORTAL: Answer = {
  text: "<html>Welcome to CafeNet</html>",
  headers: { Via: "portal" },
};

/** What the server would reply, with its policy. */
function responseTo(answer: Exclude<Answer, "no reply">): Response {
  const { status = 200, body, text, headers } = answer;
  return new Response(status === 204 ? null : (text ?? JSON.stringify(body ?? {})), {
    status,
    headers: headers ?? OURS,
  });
}

export const refusal = (status: number, code = "", more: object = {}): Answer => ({
  status,
  body: { error: `Refused with ${status}`, code, ...more },
});

/** A server with one session, and changes by their keys. */
export class Server {
  user: number | null = 3;
  username = "k.lee";
  chosen: string | null = "gfm";
  isExpired = false;
  csrf = "token-1";
  now = (): number => Date.now();
  /** The changes that were made, by their keys. */
  readonly made = new Map<string, string>();
  readonly calls: Call[] = [];
  readonly photos = new Set<string>();
  /** Replies instead of the server, by the change's address; undefined lets it reply. */
  before: (call: Call) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  /** Replaces the reply to a change that was made. */
  after: (call: Call) => Answer | undefined = () => undefined;

  constructor() {
    vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
      const answer = await this.answer({
        method: init.method ?? "GET",
        path: url,
        headers: (init.headers ?? {}) as Record<string, string>,
        body: init.body instanceof ArrayBuffer ? "(photo)" : String(init.body ?? ""),
      });
      if (answer === "no reply") throw new TypeError("Failed to fetch");
      return responseTo(answer);
    });
  }

  /** The changes that arrived, in their order. */
  sent(): string[] {
    return this.calls.filter(({ path }) => path.startsWith("/do/")).map(({ path }) => path);
  }

  private async answer(call: Call): Promise<Answer> {
    this.calls.push(call);
    const instead = await this.before(call);
    if (instead) return instead;
    if (this.user === null) return refusal(401, "sign_in_required");
    if (call.path === "/session") return { body: this.session() };
    if (call.path === "/session/renew") {
      this.isExpired = false;
      return { body: { until: "2026-11-22T19:00:00+00:00" } };
    }
    if (this.isExpired) return refusal(401, "sign_in_required");
    if (call.headers["Outbox-User"] !== String(this.user)) return refusal(403, "other_user");
    if (call.method === "HEAD") return { status: this.photos.has(call.path) ? 200 : 404, text: "" };
    if (call.headers["X-CSRFToken"] !== this.csrf) return refusal(400, "csrf_token_invalid");
    if (call.method === "PUT") {
      this.photos.add(call.path);
      return { status: 201, body: { id: call.path } };
    }
    const key = call.headers["Idempotency-Key"] ?? new URLSearchParams(call.body).get("key") ?? "";
    this.made.set(key, call.path);
    return this.after(call) ?? { body: { message: `Made ${call.path}` } };
  }

  private session(): object {
    return {
      user: this.user,
      username: this.username,
      divisions: ["gfm"],
      chosen: this.chosen,
      expired: this.isExpired,
      csrf: this.csrf,
      now: new Date(this.now()).toISOString(),
    };
  }
}

type Work = (lock: unknown) => Promise<unknown>;
type Options = { mode: "shared" } | { ifAvailable: true };

/** Gives the browser Web Locks, which the tests' one lacks. */
export function giveLocks(): void {
  let last: Promise<unknown> = Promise.resolve();
  const shared: string[] = [];
  const share = async (name: string, work: Work) => {
    shared.push(name);
    await work(null);
    shared.splice(shared.indexOf(name), 1);
  };
  const request = (name: string, options: Options | Work, second?: Work) => {
    const work = second ?? (options as Work);
    if ("mode" in options) return share(name, work);
    if ("ifAvailable" in options) return work(shared.includes(name) ? null : {});
    const result = last.then(work, work);
    last = result.catch(() => {});
    return result;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
}

/** Makes an entry of k.lee that withdraws from a site. */
export function entryOf(name: string, values: Partial<NewEntry> = {}): Entry {
  return makeEntry({
    id: name,
    user: 3,
    username: "k.lee",
    division: "gfm",
    kind: "move",
    subject: "stock:gfm/main",
    title: `Withdraw 5 × ${name}`,
    detail: "GFM Main · Kitchen",
    page: "/inventory/main",
    request: { method: "POST", url: `/do/${name}`, json: { name } },
    content: null,
    ...values,
  });
}

/** Makes an entry of k.lee that submits the check of a vehicle. */
export function checkOf(name: string, values: Partial<NewEntry> = {}): Entry {
  return entryOf(name, {
    kind: "check",
    subject: `check:${name}`,
    request: { method: "POST", url: "/api/gpm/checks", json: { reg: name } },
    content: { answers: { formType: "gpm", values: {}, cost: "", day: "2026-11-22" }, earlier: [] },
    ...values,
  });
}

/** Empties the database. */
export async function emptyDatabase(): Promise<void> {
  const database = await openDatabase();
  for (const name of database.objectStoreNames) await database.clear(name);
}

export let server: Server;

/** Starts a server and an empty database for each test; what a page does later by itself isn't tested. */
export function startServers(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    giveLocks();
    server = new Server();
    await emptyDatabase();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}
