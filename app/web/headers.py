"""Security headers of all responses: pages, errors and static files."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def content_security_policy(changes: Mapping[str, str]) -> str:
    """Return the text of our Content-Security-Policy with other values of some directives."""
    return "; ".join(f"{name} {value}" for name, value in {**_POLICY, **changes}.items())


SECURITY_HEADERS = {
    "Content-Security-Policy": content_security_policy({}),
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
}

# The other headers concern documents only, and a page or widget is a dozen small files.
_VALIDATORS = ("last-modified", "etag")
_BUNDLE_HEADER_NAMES = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
BUNDLE_HEADERS = {name: SECURITY_HEADERS[name] for name in _BUNDLE_HEADER_NAMES}
"""The security headers of built scripts and styles."""


def init_app(app: Flask) -> None:
    """Add the security headers to every response, WhiteNoise's included, unless it sets its own."""
    inner = app.wsgi_app

    def with_headers(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        is_bundle = environ.get("PATH_INFO", "").startswith("/static/built/")
        added = BUNDLE_HEADERS if is_bundle else SECURITY_HEADERS

        def start_with_headers(
            status: str, headers: list[tuple[str, str]], *rest: Any
        ) -> Callable[[bytes], object]:
            if is_bundle:
                # It never changes, so no browser asks whether it has.
                headers = [header for header in headers if header[0].lower() not in _VALIDATORS]
            present = {name.lower() for name, _ in headers}
            missing = [header for header in added.items() if header[0].lower() not in present]
            return start(status, [*headers, *missing], *rest)

        return inner(environ, start_with_headers)

    app.wsgi_app = with_headers  # type: ignore[method-assign, assignment]
