/** Renewal of the login session, and the way out when it has ended. */
import { endsAfter, isRecord } from "./requests";

/** How a renewal went: a line that dropped says nothing about the session. */
export type Renewal = "renewed" | "refused" | "unreachable";

let renewal: Promise<Renewal> | null = null;

/** The token that shows a change comes from our own pages. */
export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>("input[name=csrf_token]")?.value ?? "";
}

/** Reads how a renewal went; what doesn't speak as we do answered in our place. */
async function readRenewal(reply: Response): Promise<Renewal> {
  const told: unknown = await reply.json();
  const says = (name: string) => isRecord(told) && name in told;
  if (reply.ok && says("until")) return "renewed";
  return reply.status < 500 && says("error") ? "refused" : "unreachable";
}

/** Renews the login session once, however many requests ask for it. */
export function renewSession(): Promise<Renewal> {
  renewal ??= fetch("/session/renew", {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
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

/** Tells whether the page is on its way to the sign-in. */
export function isSigningIn(): boolean {
  return signingIn;
}

/** Leads to the sign-in, and back to this page afterwards. */
export function signInAgain(): void {
  signingIn = true;
  const here = location.pathname + location.search;
  location.assign(`/login?next=${encodeURIComponent(here)}`);
}
