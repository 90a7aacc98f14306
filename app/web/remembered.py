"""The filters and the order of each list at a person's last visit, for the next one.

They are in a signed cookie of each list, so that every device has its own. The list's menu entry
and Back links have no query: they lead to the address with the remembered one, which shows the
filters and has an ETag of its own.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlencode, urlsplit

from flask import Response, current_app, make_response, redirect, request
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeSerializer

from app import dates
from app.sorting import SORT
from app.web.access import current_user
from app.web.htmx import is_htmx
from app.web.list_query import typed_values
from app.web.navigation import referring_path

COOKIE = "filters"
LIFETIME = timedelta(days=30)
MAX_LENGTH = 1_000
"""The longest query that is remembered: a browser sends it with each request of the list."""

DAYS = ("from", "to")
"""The filters that are remembered until the end of the day: a past 'Today' isn't today."""

Arguments = ParamSpec("Arguments")
View = Callable[Arguments, ResponseReturnValue]


def remembers_filters(*names: str) -> Callable[[View[Arguments]], View[Arguments]]:
    """Let a list come back with these arguments of its URL and its order, as it was left.

    A URL with a query always wins, and so does one without that the list itself links to: its
    Reset and its chips.
    """
    remembered = (*names, SORT)

    def decorate(view: View[Arguments]) -> View[Arguments]:
        @wraps(view)
        def decorated(*args: Arguments.args, **kwargs: Arguments.kwargs) -> ResponseReturnValue:
            values = _load() if _is_return() else {}
            if query := urlencode({n: values[n] for n in remembered if values.get(n)}):
                return redirect(f"{request.path}?{query}")
            response = make_response(view(*args, **kwargs))
            if response.status_code in (200, 304):
                _save(response, typed_values(request.args, remembered))
            return response

        return decorated

    return decorate


def _is_return() -> bool:
    """Return whether another page led to the list without a query, as far as the browser says.

    A typed address is no return.
    """
    if request.query_string or is_htmx():
        return False
    referring = referring_path()
    return referring is not None and urlsplit(referring).path != request.path


def _load() -> dict[str, str]:
    for cookie in request.cookies.getlist(COOKIE):
        # A list below another one's path gets that one's cookie too.
        with suppress(BadData):
            user_id, day, values = _signer().loads(cookie)
            if user_id == current_user().user_id:
                is_today = day == str(dates.today())
                return {n: text for n, text in values.items() if is_today or n not in DAYS}
    return {}


def _save(response: Response, values: dict[str, str]) -> None:
    if len(urlencode(values)) > MAX_LENGTH or values == _load():
        return
    if not values:
        response.delete_cookie(COOKIE, **_cookie_options())
        return
    text = _signer().dumps([current_user().user_id, str(dates.today()), values])
    response.set_cookie(COOKIE, text, max_age=LIFETIME, **_cookie_options())


def _cookie_options() -> dict[str, Any]:
    return {
        "path": request.path,
        "httponly": True,
        "samesite": "Lax",
        "secure": current_app.config["SESSION_COOKIE_SECURE"],
    }


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-filters {request.path}"
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)
