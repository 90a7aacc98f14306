"""The filters and the order of each list at a person's last visit, for the next one.

They are in a signed cookie of each list, so that every device has its own. The list's menu entry
and Back links have no query: they lead to the address with the remembered one, else with the
person's default view, which shows the filters and has an ETag of its own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlencode, urlsplit

from flask import Response, current_app, g, make_response, redirect, request
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import Select

from app import dates
from app.sorting import SORT
from app.web.access import current_user
from app.web.htmx import is_htmx
from app.web.list_query import typed_values
from app.web.navigation import referring_path
from app.web.policies import declares

COOKIE = "filters"
LIFETIME = timedelta(days=30)
MAX_LENGTH = 1_000
"""The longest query that is remembered: a browser sends it with each request of the list."""

DAYS = ("from", "to")
"""The filters that are remembered until the end of the day: a past 'Today' isn't today."""

VIEW = "view"
"""The name of a saved view in addresses of its list and in calls."""

Arguments = ParamSpec("Arguments")
View = Callable[Arguments, ResponseReturnValue]
Matches = Callable[..., Select[*tuple[Any, ...]] | None]


@dataclass(frozen=True)
class ListFilters:
    """What of a list's address devices and saved views keep.

    Attributes:
        names: The arguments of its filters.
        remembered: The arguments that devices keep; those and the order unless given.
        implied: The values of arguments that an address can leave out.
        in_use: The filters by values that rows have.
        call: The name of the list's JSON call.
        matches: Returns the statement of the rows that match values, which takes the arguments of
            the path besides; None if they can't be counted.
    """

    names: Sequence[str]
    remembered: Sequence[str]
    implied: Mapping[str, str] = field(default_factory=dict)
    in_use: Collection[str] = ()
    call: str = ""
    matches: Matches = lambda *_, **__: None


def remembers_filters(*names: str, **options: Any) -> Callable[[View[Arguments]], View[Arguments]]:
    """Let a list come back with these arguments of its URL and its order, as it was left.

    A URL with a query always wins, and so does one without that the list itself links to: its
    Reset and its chips. `options` are further attributes of `ListFilters`.
    """
    filters = ListFilters(names, **{"remembered": (*names, SORT), **options})

    def decorate(view: View[Arguments]) -> View[Arguments]:
        @wraps(view)
        def decorated(*args: Arguments.args, **kwargs: Arguments.kwargs) -> ResponseReturnValue:
            views = current_app.extensions["views"]
            g.list_filters = filters
            if query := _opening(views) or views.open_view():
                return redirect(f"{request.path}?{query}")
            response = make_response(view(*args, **kwargs))
            if response.status_code in (200, 304):
                _save(response, views.left(typed_values(request.args, filters.remembered)))
            views.finish(response)
            return response

        return declares(list_filters=filters)(decorated)

    return decorate


def _opening(views: Any) -> str:
    """Return the query with which a list opens that is requested without one.

    A typed address doesn't return to what was left: it is the default view, else the whole list.
    """
    referring = referring_path()
    is_own_link = referring is not None and urlsplit(referring).path == request.path
    if request.query_string or is_htmx() or is_own_link:
        return ""
    left = _load()
    query: str = views.opening(left if referring or not left else None)
    return query


def _load() -> dict[str, str] | None:
    """Return what was left on this device: {} is the whole list after filters, None is nothing."""
    for cookie in request.cookies.getlist(COOKIE):
        # A list below another one's path gets that one's cookie too.
        with suppress(BadData):
            user_id, day, values = _signer().loads(cookie)
            if user_id == current_user().user_id:
                is_today = day == str(dates.today())
                kept = {n: text for n, text in values.items() if is_today or n not in DAYS}
                return kept if kept or not values else None
    return None


def _save(response: Response, values: Mapping[str, str]) -> None:
    left = _load()
    if len(urlencode(values)) > MAX_LENGTH or values == (left if values else left or {}):
        return
    text = _signer().dumps([current_user().user_id, str(dates.today()), values])
    response.set_cookie(
        COOKIE,
        text,
        max_age=LIFETIME,
        path=request.path,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-filters {request.path}"
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)
