/** Renewal of the login session, and the way out when it has ended. */

let renewal: Promise<boolean> | null = null;

function csrfToken(): string {
  return document.querySelector<HTMLInputElement>("input[name=csrf_token]")?.value ?? "";
}

/** Renews the login session once, however many requests ask for it; tells whether that worked. */
export function renewSession(): Promise<boolean> {
  renewal ??= fetch("/session/renew", {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
    signal: AbortSignal.timeout(20_000),
  })
    .then((reply) => reply.ok)
    .catch(() => false)
    .finally(() => {
      renewal = null;
    });
  return renewal;
}

/** Leads to the sign-in, and back to this page afterwards. */
export function signInAgain(): void {
  const here = location.pathname + location.search;
  location.assign(`/login?next=${encodeURIComponent(here)}`);
}
