"""What every reply must have, whoever gets it and whatever it says."""

from werkzeug.test import TestResponse

EXPECTED = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
}

OF_DOWNLOADS = "sandbox; default-src 'none'"
"""The policy of files that may hold anything."""


def faults_of(reply: TestResponse) -> list[str]:
    """Return what is wrong with a reply's security headers, caching and cookies."""
    found = [
        f"{name} is {reply.headers.getlist(name)}"
        for name, value in EXPECTED.items()
        if reply.headers.getlist(name) != [value]
    ]
    policies = reply.headers.getlist("Content-Security-Policy")
    if len(policies) != 1 or not is_strict(policies[0]):
        found.append(f"Content-Security-Policy is {policies}")
    caching = reply.headers.get("Cache-Control", "")
    if caching != "no-store" and (reply.status_code >= 400 or not caching.startswith("private")):
        found.append(f"Cache-Control is {caching}")
    for cookie in reply.headers.getlist("Set-Cookie"):
        flags = {flag.partition("=")[0] for flag in cookie.split("; ")[1:]}
        if not {"HttpOnly", "SameSite", "Path"} <= flags:
            found.append(f"Cookie {cookie}")
    return found


def is_strict(policy: str) -> bool:
    """Return whether a content security policy runs our own scripts and styles alone, or none."""
    if policy == OF_DOWNLOADS:
        return True
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    own = all(parts.get(f"{kind}-src") == "'self'" for kind in ("script", "style", "connect"))
    none = all(
        parts.get(name) == "'none'" for name in ("default-src", "base-uri", "frame-ancestors")
    )
    return own and none and "unsafe" not in policy and parts.get("form-action") == "'self'"
