"""The pages that send records as files."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import ParamSpec

from flask import Response

from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.records.record import Column, R, csv_lines
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.limits import CostlyRequest, costly

P = ParamSpec("P")


def exports(
    subject: str, failure: str = "Export failed"
) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Return a decorator of views that send a file, which the audit trail calls `subject`.

    `failure` is the message of an unexpected error.
    """

    def decorate(view: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(view)
        def export(*args: P.args, **kwargs: P.kwargs) -> Response:
            response = view(*args, **kwargs)
            with transaction():
                record(Event.EXPORT, subject.format(**kwargs))
            return response

        return costly(CostlyRequest.EXPORTS)(failure_message(failure)(export))

    return decorate


def csv_file(name: str, columns: Sequence[Column[R]], rows: Iterable[R]) -> Response:
    """Return a response that streams rows as a CSV file."""
    return download(name, csv_lines(columns, rows), "text/csv")
