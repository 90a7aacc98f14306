"""Replies to errors, in the form the client reads: a page, a fragment, or JSON."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

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
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound, SecurityError
from werkzeug.wrappers import Response as WerkzeugResponse

from app.engines import is_busy, is_full
from app.errors import DiskFull, ErrorCode, QuartermasterError, SignInRequired, Unavailable
from app.web.form_handling import flash_message
from app.web.htmx import is_htmx, wants_json
from app.web.navigation import referring_path
from app.web.policies import View, declared, declares
from app.web.request_log import has_changed, reference

log = logging.getLogger(__name__)

BUSY = "The database is busy. Try again in a moment."
_MAYBE_SAVED = (
    "Something went wrong on our side. This may be saved: check before you send it again."
)
_UNKNOWN_HOST = "This host name is not served here. An admin can add it to TRUSTED_HOSTS.\n"
_OUT_OF_DATE = "This page was out of date. Load it again and send it once more."
_MESSAGES = {
    400: "The request can't be read. Check it and send it again.",
    404: "There is nothing at this address.",
    405: "This address doesn't take that kind of request.",
    413: "That is too large. Send less at once.",
    500: "Something went wrong on our side. Nothing was changed. Try again in a moment.",
}
_TRY_AGAIN = "Try again in a moment."
_SAFE_TO_REPEAT = "Nothing is lost. Try again; the change is made only once."
_CODES = {
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    413: ErrorCode.TOO_LARGE,
    415: ErrorCode.UNSUPPORTED,
}


def failure_message(message: str, *, too_large: str = "") -> Callable[[View], View]:
    """Declare the messages of a view's unexpected errors, and of bodies that are too large."""
    return declares(on_failure=message, on_too_large=too_large)


def init_app(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(QuartermasterError, _handle_typed_error)
    app.register_error_handler(
        CSRFError, lambda _: error_response(400, _OUT_OF_DATE, ErrorCode.CSRF_TOKEN_INVALID)
    )
    app.register_error_handler(NotFound, _handle_not_found)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(DBAPIError, _handle_database_error)
    app.register_error_handler(PoolExhausted, _handle_database_error)
    app.register_error_handler(InternalServerError, lambda _: _internal_error())


def error_response(
    status: int,
    message: str,
    code: ErrorCode,
    fields: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> Response:
    """Return an error as JSON, as a fragment for htmx, or as a page."""
    if wants_json():
        body = {
            "error": message,
            "code": code,
            "requestId": reference(),
            **({"fields": fields} if fields else {}),
            **(details or {}),
        }
        return make_response(jsonify(body), status)
    if is_htmx():
        # A refusal says what to do; a fault of the server needs its reference in the log.
        number = reference() if status >= 500 else ""
        alert = render_template("errors/_alert.html", message=message, reference=number)
        response = make_response(alert, status)
        response.headers["HX-Retarget"] = "#alerts"
        response.headers["HX-Reswap"] = "innerHTML"
        return response
    # The page is not the list that failed, and has nothing of its view.
    g.pop("saved_view", None)
    g.pop("list_filters", None)
    # The header must not look up the user in a database that has just failed.
    if status >= 500:
        g.user = None
    helps_to_repeat = status == 429 or status >= 500 or code is ErrorCode.CSRF_TOKEN_INVALID
    page = render_template(
        "errors/page.html",
        message=message,
        reference=reference(),
        is_forbidden=code is ErrorCode.FORBIDDEN,
        repeated=_fields_to_repeat(status),
        again=_page_address() if helps_to_repeat else None,
        back=referring_path(),
    )
    return make_response(page, status)


def _fields_to_repeat(status: int) -> list[tuple[str, str]]:
    is_form = request.method == "POST" and declared("redisplays_form")
    # A page can't repeat files, and without them the form would be another one.
    if status < 500 or not is_form or declared("contains_passwords") or request.files:
        return []
    return list(request.form.items(multi=True))


def _page_address() -> str | None:
    adapter = current_app.create_url_adapter(request)
    is_page = adapter is not None and adapter.test(request.path, method="GET")
    return request.full_path.rstrip("?") if is_page else None


def _handle_typed_error(error: QuartermasterError) -> Response:
    response = error_response(error.status, error.message, error.code, error.fields, error.details)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, SignInRequired):
        response.headers.add("WWW-Authenticate", 'Bearer realm="Quartermaster"')
        response.headers.add("WWW-Authenticate", 'Session realm="Quartermaster"')
    return response


def _handle_not_found(error: NotFound) -> WerkzeugResponse:
    is_file = request.path.startswith("/static/") or request.path in ("/static", "/favicon.ico")
    if request.routing_exception is None or is_file:
        return _handle_http_error(error)
    if wants_json():
        # The code tells a call that isn't served here from a record that doesn't exist.
        return error_response(404, _MESSAGES[404], ErrorCode.NO_SUCH_ROUTE)
    flash_message("That page doesn't exist.", kind="warn")
    return redirect(url_for("accounts.login"))


def _handle_http_error(error: HTTPException) -> Response:
    if isinstance(error.response, Response):
        return error.response
    if isinstance(error, SecurityError):
        # Without a trusted host no URL can be built, so no page can be rendered.
        return Response(_UNKNOWN_HOST, 400, mimetype="text/plain")
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response(request.environ))
    too_large = declared("on_too_large") if status == 413 else ""
    message = too_large or _MESSAGES.get(status) or error.description or error.name
    default_code = ErrorCode.MALFORMED if status < 500 else ErrorCode.INTERNAL
    response = error_response(status, message, _CODES.get(status, default_code))
    for name, value in error.get_headers(request.environ):
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _internal_error() -> Response:
    failure = declared("on_failure")
    message = failure or _MESSAGES[500]
    if wants_json() and has_changed():
        message = _MAYBE_SAVED
    elif failure and not wants_json():
        is_repeated = "key" in request.form and not request.files
        is_safe = is_repeated and not declared("contains_passwords")
        message = f"{failure}. {_SAFE_TO_REPEAT if is_safe else _TRY_AGAIN}"
    return error_response(500, message, ErrorCode.INTERNAL)


def _handle_database_error(error: DBAPIError | PoolExhausted) -> Response:
    if isinstance(error, DBAPIError) and is_full(error):
        log.error("Database: %s", error)
        return _handle_typed_error(DiskFull())
    if isinstance(error, DBAPIError) and not is_busy(error):
        log.error("Database", exc_info=error)
        return _internal_error()
    log.warning("Database: %s", error)
    message = _MAYBE_SAVED if wants_json() and has_changed() else BUSY
    return _handle_typed_error(Unavailable(message))
