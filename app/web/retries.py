"""Retry requests whose transaction failed by a serialization failure or deadlock."""

from flask import Flask
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from app.db import is_retryable


def init_app(app: Flask) -> None:
    """Retry the dispatch of a view; the effect of a view is one transaction."""
    dispatch = app.dispatch_request
    retrying = Retrying(
        retry=retry_if_exception(is_retryable),
        stop=stop_after_attempt(4),
        wait=wait_random_exponential(multiplier=0.05, max=0.5),
        reraise=True,
    )
    app.dispatch_request = lambda: retrying.copy()(dispatch)  # type: ignore[method-assign]
