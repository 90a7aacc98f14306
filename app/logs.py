"""Log lines, as text or JSON, each with the id of the request that it is about.

A line names a request by its route, never by its address: addresses hold search terms and names.
"""

import json
import logging
import os
import re
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime

REQUEST_ID = "quartermaster.request_id"
"""Name in a WSGI environment of the id that the server has given a request."""

WAITED = "quartermaster.waited"
"""Name in a WSGI environment of the seconds that a request has waited for a thread."""

NO_ROUTE = "-"
_TEXT = "%(asctime)s %(levelname)s [%(request_id)s] %(name)s: %(message)s"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TRACE_PARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})"
    r"-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?P<rest>-.*)?"
)

log = logging.getLogger("app.requests")


@dataclass(slots=True)
class RequestEntry:
    """The logged and counted values of one request.

    `size` is in bytes, `commits` the number of its transactions, `is_replay` whether its change had
    been made before. `method` is OTHER for a method outside HTTP.
    """

    id: str
    method: str
    route: str = NO_ROUTE
    status: int = 0
    milliseconds: float = 0.0
    size: int = 0
    user_id: int | None = None
    division: str | None = None
    commits: int = 0
    is_replay: bool = False

    def __post_init__(self) -> None:
        """Leave out a method that the client made up."""
        if self.method not in _METHODS:
            self.method = "OTHER"

    def __str__(self) -> str:
        return (
            f"{self.method} {self.route} {self.status} {self.milliseconds:.1f} ms "
            f"user={self.user_id or '-'} division={self.division or '-'} {self.size} bytes"
        )

    @property
    def changes(self) -> int:
        """Return how many changes the request has made."""
        return 0 if self.is_replay or self.method in READ_METHODS else self.commits

    def as_json(self) -> dict[str, object]:
        """Return the members of its log line beyond the common ones."""
        return {
            "method": self.method,
            "route": self.route,
            "status": self.status,
            "milliseconds": round(self.milliseconds, 1),
            "userId": self.user_id,
            "division": self.division,
            "bytes": self.size,
        }


current_request: ContextVar[RequestEntry | None] = ContextVar("current_request", default=None)


def current_entry() -> RequestEntry:
    """Return the entry of the current request; without one, an entry that nobody reads."""
    return current_request.get() or RequestEntry("", "GET")


observers: list[Callable[[RequestEntry], None]] = []
"""Functions that are called with each request that ends in this process."""


class _AddRequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_entry().id or "-"
        return True


class JsonLine(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "requestId": record.request_id,  # type: ignore[attr-defined]
        }
        if isinstance(record.msg, RequestEntry):
            line |= record.msg.as_json()
        else:
            line["message"] = record.getMessage()
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def configure(level: str, kind: str) -> None:
    """Write log lines of a level and above to standard error, as `text` or `json`."""
    logging.basicConfig(level=level, handlers=[line_handler(kind)])


def writes_json() -> bool:
    """Return whether log lines are JSON."""
    return any(isinstance(each.formatter, JsonLine) for each in logging.getLogger().handlers)


def line_handler(kind: str) -> logging.StreamHandler:  # type: ignore[type-arg]
    """Return a handler that writes lines of a kind to standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(_AddRequestId())
    handler.setFormatter(JsonLine() if kind == "json" else logging.Formatter(_TEXT))
    return handler


def request_id(trace_parent: str | None) -> str:
    """Return the trace id of a valid `traceparent` (W3C Trace Context), else a new id."""
    match = _TRACE_PARENT.fullmatch(trace_parent) if trace_parent else None
    if match and not (match["version"] == "00" and match["rest"]):
        return match["trace"]
    return os.urandom(16).hex()


def finish_request(entry: RequestEntry) -> None:
    """Log a request that has been answered, and tell the observers."""
    log.info(entry)
    for observe in observers:
        observe(entry)
