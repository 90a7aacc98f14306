"""Security headers of all responses: pages, errors and static files."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in _POLICY.items()),
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
}

# The other headers concern documents only, and a widget is a dozen small files.
_BUNDLE_HEADER_NAMES = (
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "Cross-Origin-Resource-Policy",
)
BUNDLE_HEADERS = {name: SECURITY_HEADERS[name] for name in _BUNDLE_HEADER_NAMES}
"""The security headers of built scripts and styles."""


def init_app(app: Flask) -> None:
    """Add the security headers to every response, WhiteNoise's included."""
    inner = app.wsgi_app

    def with_headers(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        is_bundle = environ.get("PATH_INFO", "").startswith("/static/built/")
        added = BUNDLE_HEADERS if is_bundle else SECURITY_HEADERS

        def start_with_headers(
            status: str, headers: list[tuple[str, str]], *rest: Any
        ) -> Callable[[bytes], object]:
            return start(status, [*headers, *added.items()], *rest)

        return inner(environ, start_with_headers)

    app.wsgi_app = with_headers  # type: ignore[method-assign, assignment]
