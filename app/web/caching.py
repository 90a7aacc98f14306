"""Conditional replies: an unchanged page costs a few bytes (design §8)."""

import hashlib

from flask import Flask, Response, current_app, g, request, session

from app.web.access import current_user

PRIVATE = "private, no-cache"


def not_modified(*version: object) -> Response | None:
    """Return a 304 when the client already holds this version of the page, else None.

    The tag is made from login session, division, address, asker, the data's version and the
    build, never from the body. A page with a waiting message has none.
    """
    if session.get("_flashes"):
        return None
    user = current_user()
    parts = (
        user.session_id,
        user.chosen,
        sorted(user.divisions),
        request.full_path,
        request.headers.get("HX-Request"),
        request.headers.get("HX-Target"),
        current_app.extensions["build"],
        *version,
    )
    return _unless_held(hashlib.sha256(repr(parts).encode()).hexdigest()[:24])


def not_modified_since_build() -> Response | None:
    """Return a 304 when the client holds what this build says, whoever asks, else None."""
    return _unless_held(current_app.extensions["build"])


def _unless_held(tag: str) -> Response | None:
    g.etag = tag
    return Response(status=304) if request.if_none_match.contains_weak(tag) else None


def disable_caching() -> None:
    """Let nobody keep this reply, because it shows less than `not_modified` was asked for."""
    g.pop("etag", None)


def init_app(app: Flask) -> None:
    """Put caching headers on every reply: no-store, unless a view called `not_modified`."""

    @app.after_request
    def add(response: Response) -> Response:
        tag = g.get("etag")
        if tag and response.status_code in (200, 304):
            response.set_etag(tag, weak=True)
            response.headers["Cache-Control"] = PRIVATE
        elif "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        response.vary.update(("Cookie", "HX-Request", "HX-Target"))
        return response
