"""Security headers, the same on pages, errors and static files (design §8)."""

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

# A widget is a dozen small files, and the other headers speak of documents alone.
_OF_ASSETS = (
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "Cross-Origin-Resource-Policy",
)
ASSET_HEADERS = {name: SECURITY_HEADERS[name] for name in _OF_ASSETS}
"""What built scripts and styles carry."""


def init_app(app: Flask) -> None:
    """Put the security headers on every reply that leaves the server, whoever made it."""
    inner = app.wsgi_app

    def with_headers(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        is_asset = environ.get("PATH_INFO", "").startswith("/static/built/")
        added = ASSET_HEADERS if is_asset else SECURITY_HEADERS

        def start_with_headers(
            status: str, headers: list[tuple[str, str]], *rest: Any
        ) -> Callable[[bytes], object]:
            return start(status, [*headers, *added.items()], *rest)

        return inner(environ, start_with_headers)

    app.wsgi_app = with_headers  # type: ignore[method-assign, assignment]
