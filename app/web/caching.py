"""Conditional requests: an unchanged page is a 304 of a few bytes."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from flask import Flask, Response, current_app, g, request, session
from flask.typing import ResponseReturnValue

from app import dates
from app.versions import versions_of
from app.web.access import current_user

P = ParamSpec("P")

PRIVATE = "private, no-cache"
VARY = "Cookie, HX-Request, HX-Target"


def not_modified(*version: object) -> Response | None:
    """Return a 304 response if the client has this version of the page, else None.

    The ETag is made from login session, division, URL, htmx target, data version and build, not
    from the body, and from what the person prefers and the saved view, which no kept part has. A
    page that will show a flashed message has none.
    """
    user, view = current_user(), g.get("saved_view")
    if dates.RANGE in request.args:
        version = (*version, dates.today())
    parts = (
        user.chosen,
        sorted((division, *sorted(roles)) for division, roles in user.roles.items()),
        request.full_path,
        request.headers.get("HX-Request"),
        request.headers.get("HX-Target"),
        current_app.extensions["build"],
    )
    g.page_key, g.page_version = repr(parts), repr(version)
    if session.get("_flashes"):
        return None
    own = (user.session_id, user.preference_revision, view and view.revision)
    tag = repr((own, parts, version))
    return _respond_unless_matched(hashlib.sha256(tag.encode()).hexdigest()[:24])


def by_versions(
    *lists: str,
) -> Callable[[Callable[P, ResponseReturnValue]], Callable[P, ResponseReturnValue]]:
    """Return a decorator of pages that change with some lists and the day."""

    def decorate(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
        @wraps(view)
        def show(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            return not_modified(*versions_of(lists), dates.today()) or view(*args, **kwargs)

        return show

    return decorate


def not_modified_since_build(*version: object) -> Response | None:
    """Return a 304 response if the client has this build's page, which all share, else None."""
    tag = "-".join([current_app.extensions["build"], *map(str, version)])
    return _respond_unless_matched(tag)


def _respond_unless_matched(tag: str) -> Response | None:
    g.etag = tag
    return Response(status=304) if request.if_none_match.contains_weak(tag) else None


def disable_caching() -> None:
    """Withdraw the ETag of this response, because part of the page couldn't be read."""
    g.pop("etag", None)


def init_app(app: Flask) -> None:
    """Set caching headers on every response: no-store unless it has an ETag."""

    @app.after_request
    def add(response: Response) -> Response:
        tag = g.get("etag")
        if tag and response.status_code in (200, 304):
            response.set_etag(tag, weak=True)
            response.headers["Cache-Control"] = PRIVATE
        elif "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        response.headers["Vary"] = VARY
        return response
