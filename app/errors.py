"""Typed errors: each has the message a person reads and its HTTP status."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


class QuartermasterError(Exception):
    """Base of the errors a user can do something about.

    `field` names the form field that the message belongs to, where there is one; `fields` has
    the messages of several. `details` are for the programs that read the error; `retry_after` says
    in how many seconds the same may work.
    """

    status = 400
    retry_after: int | None = None

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.fields = {field: message} if field else {}
        self.details: Mapping[str, Any] = {}


class Malformed(QuartermasterError):
    """The request can't be read."""

    status = 400


class SignInRequired(QuartermasterError):
    """Nobody is signed in, or the access has run out."""

    status = 401


class Forbidden(QuartermasterError):
    """The user may not see or do this."""

    status = 403


class NotFound(QuartermasterError):
    """The thing asked for doesn't exist."""

    status = 404


class Conflict(QuartermasterError):
    """The state of the records forbids it."""

    status = 409


class EditConflict(Conflict):
    """Somebody else has edited the record since its form was opened."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Somebody else has changed this {what} meanwhile. Check and save again.")


class PreconditionFailed(QuartermasterError):
    """The record is no longer the one that the caller has seen."""

    status = 412


class TooLarge(QuartermasterError):
    """What was sent is more than is taken."""

    status = 413


class Unsupported(QuartermasterError):
    """What was sent isn't of a type that is taken."""

    status = 415


class PreconditionRequired(QuartermasterError):
    """The call must say which state of the record it replaces."""

    status = 428


class Invalid(QuartermasterError):
    """A value breaks a rule."""

    status = 422


class Throttled(QuartermasterError):
    """Too many attempts."""

    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(QuartermasterError):
    """Something that the work needs is out of reach just now."""

    status = 503
    retry_after = 5


@contextmanager
def rename_fields(names: Mapping[str, str]) -> Iterator[None]:
    """Let a refusal name the fields as its caller does, whose names are those of `names`."""
    try:
        yield
    except QuartermasterError as error:
        error.fields = {names.get(field, field): said for field, said in error.fields.items()}
        raise
