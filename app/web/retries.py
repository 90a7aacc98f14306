"""Retry requests whose transaction failed by a serialization failure or deadlock."""

import random
import time

from flask import Flask
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from app.engines import is_retryable

PAUSES = (0.05, 0.1, 0.2)
"""The longest pause in seconds before each retry."""


def init_app(app: Flask) -> None:
    """Retry the dispatch of a view; the effect of a view is one transaction."""
    dispatch = app.dispatch_request

    def dispatch_with_retries() -> ResponseReturnValue:
        for longest in PAUSES:
            try:
                return dispatch()
            except DBAPIError as error:
                if not is_retryable(error):
                    raise
            # Those that have met must not meet again.
            time.sleep(random.uniform(0, longest))  # noqa: S311 (nothing secret)
        return dispatch()

    app.dispatch_request = dispatch_with_retries  # type: ignore[method-assign]
