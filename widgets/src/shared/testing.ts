/** A server for tests: what it is asked, and what it answers. */
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
  /** Nothing comes until the request is given up. */
  | "silence";

export const RENEWED = {
  body: { until: "2026-11-21T12:30:00+00:00", time: "12:30", message: "Until 12:30." },
};
export const SIGN_IN = { status: 401, body: { error: "Please sign in." } };

/** Answers every call by `answer`, and returns all that was asked. */
export function serve(answer: (requests: SentRequest) => Answer): SentRequest[] {
  const all: SentRequest[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const headers = (init.headers ?? {}) as Record<string, string>;
    const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
    const { "Idempotency-Key": key, "X-CSRFToken": token, "If-Match": match } = headers;
    const requests = {
      method: init.method ?? "GET",
      url,
      body,
      key,
      token,
      ...(match === undefined ? {} : { match }),
    };
    all.push(requests);
    const given = answer(requests);
    if (given === "no connection") throw new TypeError("Failed to fetch");
    if (given === "silence")
      return new Promise((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
      );
    const { status = 200, headers: sent = {} } = given;
    return new Response(given.text ?? JSON.stringify(given.body ?? {}), { status, headers: sent });
  });
  return all;
}

/** Catches where the page is led to. */
export function catchLeaving(): string[] {
  const led: string[] = [];
  vi.spyOn(location, "assign").mockImplementation((url) => void led.push(String(url)));
  return led;
}

export const ITEMS = [
  { item: "Red heart holder", amount: 129, category: "Holder", unitPrice: 2.95, unit: "pcs" },
  { item: "Hand warmer", amount: 79, category: "", unitPrice: 2.1, unit: "pcs" },
  { item: "Paper chain kit", amount: 117, category: "Paper", unitPrice: 2.95, unit: "pcs" },
  { item: "Globe", amount: 0, category: "", unitPrice: 0.85, unit: "pcs" },
];
