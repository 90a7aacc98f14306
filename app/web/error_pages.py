"""Every error as the asker reads it: a page, a fragment above the content, or JSON."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from flask import (
    Flask,
    Response,
    current_app,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from werkzeug.exceptions import HTTPException, InternalServerError, SecurityError
from werkzeug.exceptions import NotFound as NoSuchAddress
from werkzeug.wrappers import Response as WerkzeugResponse

from app.db import is_busy
from app.errors import QuartermasterError, SignInRequired
from app.web.htmx import is_api_path, is_htmx, wants_json

log = logging.getLogger(__name__)

NO_SUCH_ROUTE = "no_such_route"
BUSY = "The database is busy. Try again in a moment."
_UNKNOWN_HOST = "This host name is not served here. An admin can add it to TRUSTED_HOSTS.\n"
_OUT_OF_DATE = "This page was out of date. Load it again and send it once more."
_TEXTS = {
    400: "The request can't be read.",
    404: "There is nothing at this address.",
    405: "This address doesn't take that kind of request.",
    413: "That is too large to be sent.",
    500: "Something went wrong on our side. Nothing was changed.",
}


View = TypeVar("View", bound=Callable[..., Any])


def failure_message(message: str) -> Callable[[View], View]:
    """Declare what a view says when it fails without words of its own (seed §8)."""

    def declare(view: View) -> View:
        view.on_failure = message  # type: ignore[attr-defined]
        return view

    return declare


def init_app(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(QuartermasterError, _known)
    app.register_error_handler(CSRFError, lambda _: error_response(400, _OUT_OF_DATE))
    app.register_error_handler(NoSuchAddress, _no_such_address)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(OperationalError, _busy)
    app.register_error_handler(PoolExhausted, _busy)
    app.register_error_handler(InternalServerError, lambda _: error_response(500, _failure()))


def error_response(
    status: int,
    message: str,
    fields: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> Response:
    """Say what is wrong in the form that the asker reads."""
    if wants_json():
        body = {"error": message, **({"fields": fields} if fields else {}), **(details or {})}
        return make_response(jsonify(body), status)
    if is_htmx():
        response = make_response(render_template("errors/_alert.html", message=message), status)
        response.headers["HX-Retarget"] = "#alerts"
        response.headers["HX-Reswap"] = "innerHTML"
        return response
    # Where the database failed, nobody can be looked up for the header.
    if status >= 500:
        g.user = None
    return make_response(render_template("errors/page.html", message=message), status)


def _known(error: QuartermasterError) -> Response:
    response = error_response(error.status, error.message, error.fields, error.details)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, SignInRequired):
        response.headers.add("WWW-Authenticate", 'Bearer realm="Quartermaster"')
        response.headers.add("WWW-Authenticate", 'Session realm="Quartermaster"')
    return response


def _no_such_address(error: NoSuchAddress) -> WerkzeugResponse:
    is_file = request.path.startswith("/static/") or request.path in ("/static", "/favicon.ico")
    if request.routing_exception is None or is_file:
        return _http(error)
    if is_api_path():
        # A program tells by it a call that isn't served here from a record that isn't there.
        return error_response(404, _TEXTS[404], details={"code": NO_SUCH_ROUTE})
    return redirect(url_for("accounts.login"))


def _http(error: HTTPException) -> Response:
    if isinstance(error.response, Response):
        return error.response
    if isinstance(error, SecurityError):
        # Without a trusted host no address can be made, so no page either.
        return Response(_UNKNOWN_HOST, 400, mimetype="text/plain")
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response(request.environ))
    response = error_response(status, _TEXTS.get(status) or error.description or error.name)
    for name, value in error.get_headers(request.environ):
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _failure() -> str:
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "on_failure", None) or _TEXTS[500]


def _busy(error: OperationalError | PoolExhausted) -> Response:
    if isinstance(error, OperationalError) and not is_busy(error):
        log.error("Database", exc_info=error)
        return error_response(500, _failure())
    log.warning("Database: %s", error)
    response = error_response(503, BUSY)
    response.headers["Retry-After"] = "5"
    return response
