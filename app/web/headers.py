"""Security headers, the same on pages, errors and static files (design §8)."""

from wsgiref.headers import Headers

from flask import Flask, Response

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


def add_to_static(headers: Headers, _path: str, _url: str) -> None:
    """Put the security headers on a static file's reply (WhiteNoise calls this)."""
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value


def init_app(app: Flask) -> None:
    """Put the security headers on every reply of the application."""

    @app.after_request
    def add(response: Response) -> Response:
        response.headers.extend(SECURITY_HEADERS)
        return response
