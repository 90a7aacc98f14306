/** A fake server for tests: requests received and replies sent. */
import { vi } from "vitest";

export interface SentRequest {
  method: string;
  url: string;
  body: unknown;
  key: string | undefined;
  token: string | undefined;
  match?: string | undefined;
}

export type Answer =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | "no connection"
  /** No reply until the request is aborted. */
  | "silence";

export const RENEWED = {
  body: { until: "2026-11-21T12:30:00+00:00", time: "12:30", message: "Until 12:30." },
};
export const SIGN_IN = { status: 401, body: { error: "Please sign in." } };

const OURS = { "Content-Security-Policy": "default-src 'none'" };

/** Returns the reply to a test of the line. */
export function sessionOf(user: number): Answer {
  const now = new Date().toISOString();
  const divisions = ["gfm", "fleet"];
  return {
    body: { user, username: "k.lee", divisions, chosen: "gfm", expired: false, csrf: "token", now },
  };
}

/** Replies to every request with the result of `answer`; returns the requests received. */
export function serve(answer: (request: SentRequest) => Answer): SentRequest[] {
  const received: SentRequest[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const headers = (init.headers ?? {}) as Record<string, string>;
    const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
    const { "Idempotency-Key": key, "X-CSRFToken": token, "If-Match": match } = headers;
    const request = {
      method: init.method ?? "GET",
      url,
      body,
      key,
      token,
      ...(match === undefined ? {} : { match }),
    };
    received.push(request);
    const reply = answer(request);
    if (reply === "no connection") throw new TypeError("Failed to fetch");
    if (reply === "silence")
      return new Promise((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
      );
    const { status = 200, headers: sent = {} } = reply;
    // A reply of the server has its policy; one with another text is a proxy's.
    const policy = reply.text === undefined ? OURS : {};
    return new Response(reply.text ?? JSON.stringify(reply.body ?? {}), {
      status,
      headers: { ...policy, ...sent },
    });
  });
  return received;
}

/** Records navigations instead of leaving the page. */
export function recordNavigations(): string[] {
  const navigations: string[] = [];
  vi.spyOn(location, "assign").mockImplementation((url) => void navigations.push(String(url)));
  return navigations;
}

export const ITEMS = [
  { item: "Red heart holder", amount: 129, category: "Holder", unitPrice: 2.95, unit: "pcs" },
  { item: "Hand warmer", amount: 79, category: "", unitPrice: 2.1, unit: "pcs" },
  { item: "Paper chain kit", amount: 117, category: "Paper", unitPrice: 2.95, unit: "pcs" },
  { item: "Globe", amount: 0, category: "", unitPrice: 0.85, unit: "pcs" },
];
