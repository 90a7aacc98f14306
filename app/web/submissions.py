"""Apply submissions of forms and JSON calls: in one transaction, and once for good.

A request is retried if its transaction failed by a serialization failure or deadlock.
"""

import random
import time
from collections.abc import Callable

from flask import Flask
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.db import transaction
from app.engines import is_retryable
from app.errors import QuartermasterError
from app.idempotency import (
    KeyReused,
    Result,
    Stamp,
    Submission,
    exactly_once,
    find_made,
    find_result,
)
from app.web import outbox

PAUSES = (0.05, 0.1, 0.2)
"""The longest pause in seconds before each retry."""


def apply_once(
    submission: Submission,
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    prepare: Callable[[], object] | None = None,
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result:
    """Make a change in one transaction, unless its submission made it before; return its result.

    `prepare` does slow work before the transaction, unless the result is stored. A change
    that is refused, or breaks the unique client key, may have been made under a deleted key: its
    record is looked for, and `rebuild` returns the result by the record's id. Raises KeyReused if
    another body made it, and AlreadyMade if the result can't be rebuilt.
    """
    try:
        if prepare:
            result = find_result(submission, result_type)
            if result is not None:
                return result
            prepare()
        with transaction():
            return exactly_once(submission, result_type, lambda: make(action))
    except KeyReused:
        raise
    except (QuartermasterError, IntegrityError):
        made = find_made(submission, rebuild)
        if made is None:
            raise
        return made


def find_applied(
    submission: Submission,
    result_type: type[Result],
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result | None:
    """Return the result of a change that this submission made before, or None.

    For changes that would be refused today: a refusal would tell the sender that nothing was made.
    Raises KeyReused and AlreadyMade, as `apply_once` does.
    """
    return find_result(submission, result_type) or find_made(submission, rebuild)


def make(action: Callable[[], Result]) -> Result:
    """Make a change, unless it waited too long: raises MadeLongAgo."""
    outbox.check_age()
    return action()


def stamp_of(submission: Submission | None) -> Stamp:
    """Return the stamp of a submission for its record, with the time when it was made."""
    if submission is None:
        return Stamp(made_at=outbox.made_at())
    return Stamp(submission.client_key, submission.digest, outbox.made_at())


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
            # Different pauses keep the same transactions from colliding again.
            time.sleep(random.uniform(0, longest))  # noqa: S311 (nothing secret)
        return dispatch()

    app.dispatch_request = dispatch_with_retries  # type: ignore[method-assign]
