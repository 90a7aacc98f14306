"""Apply what is submitted, by a form or a JSON call: in one transaction, and once for good."""

from collections.abc import Callable

from sqlalchemy.exc import IntegrityError

from app.db import transaction
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


def apply_once(
    submission: Submission,
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    prepare: Callable[[], None] | None = None,
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result:
    """Make a change in one transaction, unless its submission made it before; return its result.

    `prepare` does what takes long before the transaction, unless the result is stored. Where the
    key was deleted, the change is refused or breaks the client key's uniqueness. Only then the
    record that it made is looked for, and `rebuild` returns the result by the record's id. Raises
    KeyReused where another body made it, and AlreadyMade where the result can't be rebuilt.
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
    """Return the result of a change that this submission made before, None if it made none.

    For what would be refused today: a refusal would tell the sender that nothing was made. Raises
    KeyReused and AlreadyMade, as `apply_once` does.
    """
    return find_result(submission, result_type) or find_made(submission, rebuild)


def make(action: Callable[[], Result]) -> Result:
    """Make a change that isn't too old to be made unasked; raises MadeLongAgo."""
    outbox.check_age()
    return action()


def stamp_of(submission: Submission | None) -> Stamp:
    """Return what a record keeps of a submission, and of when it was made."""
    if submission is None:
        return Stamp(made_at=outbox.made_at())
    return Stamp(submission.client_key, submission.digest, outbox.made_at())
