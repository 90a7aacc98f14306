/** What every request of ours needs: a time limit, and a careful look at what came back. */

/** Returns a signal that ends a request after a while; AbortSignal.timeout is too young for some phones. */
export function endsAfter(seconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), seconds * 1000);
  return controller.signal;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
