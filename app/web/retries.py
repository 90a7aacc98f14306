"""Repeat a request that failed only because another transaction was in its way (design §7)."""

from flask import Flask
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from app.db import is_retryable


def init_app(app: Flask) -> None:
    """Wrap the dispatch of views, whose effects are one transaction each."""
    dispatch = app.dispatch_request
    retrying = Retrying(
        retry=retry_if_exception(is_retryable),
        stop=stop_after_attempt(4),
        wait=wait_random_exponential(multiplier=0.05, max=0.5),
        reraise=True,
    )
    app.dispatch_request = lambda: retrying.copy()(dispatch)  # type: ignore[method-assign]
