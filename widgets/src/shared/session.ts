/** Renews the login session, or leads to the sign-in when it has ended. */
import { endsAfter, isRecord } from "./requests";

/**
 * The result of a renewal. With a stale token it may still be renewed by another page, and without a
 * connection later.
 */
export type Renewal = "renewed" | "refused" | "stale" | "unreachable";

const REFUSALS: Record<number, Renewal> = { 400: "stale", 401: "refused", 403: "refused" };

let renewal: Promise<Renewal> | null = null;

/** Returns the CSRF token of this page. */
export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>("input[name=csrf_token]")?.value ?? "";
}

/** Reads the result of a renewal; a reply in any other format is a proxy's. */
async function readRenewal(reply: Response): Promise<Renewal> {
  const body: unknown = await reply.json();
  const has = (name: string) => isRecord(body) && name in body;
  if (reply.ok && has("until")) return "renewed";
  return (has("error") && REFUSALS[reply.status]) || "unreachable";
}

/**
 * Renews the login session; requests that need it at the same time share one renewal. A worker has
 * no page, so it gives the token.
 */
export function renewSession(token: string = csrfToken()): Promise<Renewal> {
  renewal ??= fetch("/session/renew", {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": token },
    signal: endsAfter(20),
  })
    .then(readRenewal)
    .catch((): Renewal => "unreachable")
    .finally(() => {
      renewal = null;
    });
  return renewal;
}

let signingIn = false;

/** Returns whether the browser is on its way to the sign-in. */
export function isSigningIn(): boolean {
  return signingIn;
}

/** Goes to the sign-in, which leads back to this page, or on to another. */
export function signInAgain(next: string = location.pathname + location.search): void {
  signingIn = true;
  location.assign(`/login?next=${encodeURIComponent(next)}`);
}
