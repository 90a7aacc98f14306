"""Give every request an id, and log one line when its reply has been made."""

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response, g, request

from app import logs
from app.logs import RequestEntry, current_entry

STATIC = "/static/"
STATIC_ROUTE = "/static/<path:file>"


class _LoggedReply:
    """The body of a reply; its request ends when the body has been read or is closed."""

    def __init__(self, pieces: Iterable[bytes], entry: RequestEntry, begun: float) -> None:
        self._pieces = pieces
        self._entry = entry
        self._begun = begun
        self._has_ended = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._entry.size += len(piece)
            yield piece
        self._end()

    def close(self) -> None:
        """Close the inner body, whether or not it has been read."""
        try:
            close = getattr(self._pieces, "close", None)
            if close:
                close()
        finally:
            self._end()

    def _end(self) -> None:
        if self._has_ended:
            return
        self._has_ended = True
        self._entry.milliseconds = (perf_counter() - self._begun) * 1000
        logs.finish_request(self._entry)
        logs.current_request.set(None)


def reference() -> str:
    """Return the id of this request, which finds its log lines."""
    return current_entry().id


def has_changed() -> bool:
    """Return whether this request has committed a change."""
    return current_entry().changes > 0


def init_app(app: Flask) -> None:
    """Log the requests of an application; call it after all other middleware."""
    inner = app.wsgi_app

    def logged(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        begun = perf_counter()
        # A server that runs a request twice, to read its body only when needed, has made the id.
        number = environ.get(logs.REQUEST_ID) or logs.request_id(environ.get("HTTP_TRACEPARENT"))
        entry = RequestEntry(number, environ["REQUEST_METHOD"])
        is_file = environ.get("PATH_INFO", "").startswith(STATIC)
        if is_file:
            entry.route = STATIC_ROUTE
        logs.current_request.set(entry)

        def start_with_id(
            status: str, headers: list[tuple[str, str]], *rest: Any
        ) -> Callable[[bytes], object]:
            entry.status = int(status[:3])
            # A page has a dozen small files, and the id would make each a tenth larger.
            added = [] if is_file else [("X-Request-ID", number)]
            return start(status, [*headers, *added], *rest)

        try:
            pieces = inner(environ, start_with_id)
        except BaseException:
            logs.current_request.set(None)
            raise
        return _LoggedReply(pieces, entry, begun)

    app.wsgi_app = logged  # type: ignore[method-assign, assignment]
    app.after_request(_describe)


def _describe(response: Response) -> Response:
    entry = current_entry()
    if request.url_rule is not None:
        entry.route = request.url_rule.rule
    user = g.get("user")
    if user is not None:
        entry.user_id = user.user_id
        division = (request.view_args or {}).get("division") or user.chosen
        entry.division = None if division is None else str(division)
    return response
