/** A time limit for requests, and a check of their replies. */

/** Returns a signal that aborts a request; AbortSignal.timeout is too new for some phones. */
export function endsAfter(seconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), seconds * 1000);
  return controller.signal;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
