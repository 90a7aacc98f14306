"""Typed errors, each with a message for people and an HTTP status and a code for programs."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

Row = TypeVar("Row")


class ErrorCode(StrEnum):
    """The kind of an error for programs: `code` beside `error` in every error of the JSON API."""

    MALFORMED = "malformed"
    CSRF_TOKEN_INVALID = "csrf_token_invalid"  # noqa: S105
    SIGN_IN_REQUIRED = "sign_in_required"
    INVALID_CREDENTIALS = "invalid_credentials"
    FORBIDDEN = "forbidden"
    OTHER_USER = "other_user"
    ROLE_REQUIRED = "role_required"
    READ_ONLY = "read_only"
    NOT_FOUND = "not_found"
    NO_SUCH_ROUTE = "no_such_route"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    CONFLICT = "conflict"
    NOT_ENOUGH_STOCK = "not_enough_stock"
    ALREADY_MADE = "already_made"
    STALE_AMOUNTS = "stale_amounts"
    NOT_ROADWORTHY = "not_roadworthy"
    BOOKED = "booked"
    NAME_TAKEN = "name_taken"
    PRECONDITION_FAILED = "precondition_failed"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    KEY_REUSED = "key_reused"
    OUTBOX_SCHEMA = "outbox_schema"
    MADE_LONG_AGO = "made_long_ago"
    PHOTOS_MISSING = "photos_missing"
    PRECONDITION_REQUIRED = "precondition_required"
    THROTTLED = "throttled"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"
    DISK_FULL = "disk_full"


class QuartermasterError(Exception):
    """Base of the errors that a user or client can do something about.

    A kind of error may have a `message` of its own. `field` names the field that it belongs to, if
    there is one; `fields` maps fields to their messages. `details` are further members of the error
    as JSON. `retry_after` is the number of seconds to wait before trying again.
    """

    status = 400
    code = ErrorCode.MALFORMED
    message = ""
    retry_after: int | None = None

    def __init__(self, message: str = "", field: str | None = None) -> None:
        self.message = message = message or self.message
        super().__init__(message)
        self.field = field
        self.fields = {field: message} if field else {}
        self.details: Mapping[str, Any] = {}


class Malformed(QuartermasterError):
    """The request can't be parsed."""


class SignInRequired(QuartermasterError):
    """Nobody is signed in, or access has expired."""

    status = 401
    code = ErrorCode.SIGN_IN_REQUIRED


class Forbidden(QuartermasterError):
    """The user may not see or do this."""

    status = 403
    code = ErrorCode.FORBIDDEN


class RoleRequired(Forbidden):
    """The user may see this, but lacks the role to change it."""

    code = ErrorCode.ROLE_REQUIRED


class ReadOnly(Forbidden):
    """The access token reads only."""

    code = ErrorCode.READ_ONLY
    message = 'This token only reads. Sign in without "access": "read" to change something.'


class NotFound(QuartermasterError):
    """There is no such record."""

    status = 404
    code = ErrorCode.NOT_FOUND


def existing(row: Row | None, missing: str) -> Row:
    """Return a row that was looked for; raises NotFound with a message for None."""
    if row is None:
        raise NotFound(missing)
    return row


class FileLost(NotFound):
    """A stored file isn't in its store."""

    message = "This file is no longer there."


class Conflict(QuartermasterError):
    """The current state of the records doesn't allow it."""

    status = 409
    code = ErrorCode.CONFLICT


class Preview(Conflict):
    """A change was tried and rolled back; its form shows the effects."""


class EditConflict(Conflict):
    """Somebody else has edited the record since its form was opened."""

    def __init__(self, what: str, message: str = "") -> None:
        super().__init__(
            message or f"Somebody else has changed this {what} meanwhile. Check and save again."
        )


def check_revision(what: str, current: int, based_on: int | None) -> None:
    """Raise EditConflict if a change is based on another revision than the current; None is any."""
    if based_on not in (None, current):
        raise EditConflict(what)


class AlreadyUndone(Conflict):
    """A change can be undone only once."""

    message = "This has already been undone. Load the page again."


class PreconditionFailed(QuartermasterError):
    """The list has changed since the version that If-Match names."""

    status = 412
    code = ErrorCode.PRECONDITION_FAILED


class TooLarge(QuartermasterError):
    """The body is larger than allowed."""

    status = 413
    code = ErrorCode.TOO_LARGE


class Unsupported(QuartermasterError):
    """The body is of a type that this call doesn't take."""

    status = 415
    code = ErrorCode.UNSUPPORTED


class Invalid(QuartermasterError):
    """A value breaks a rule."""

    status = 422
    code = ErrorCode.INVALID


class PreconditionRequired(QuartermasterError):
    """If-Match is missing: it names the version of the list that the call replaces."""

    status = 428
    code = ErrorCode.PRECONDITION_REQUIRED


class Throttled(QuartermasterError):
    """Too many attempts."""

    status = 429
    code = ErrorCode.THROTTLED

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(QuartermasterError):
    """Something that the call needs can't be reached at the moment."""

    status = 503
    code = ErrorCode.UNAVAILABLE
    retry_after = 5


class DiskFull(Unavailable):
    """A disk of the server has no room left."""

    status = 507
    code = ErrorCode.DISK_FULL
    retry_after = 60
    message = "The server's disk is full. Nothing was changed. Tell an admin, then try again."


class SeveralErrors(QuartermasterError):
    """Errors of several fields, by field; message, status and code are those of the first."""

    def __init__(self, errors: Mapping[str, QuartermasterError]) -> None:
        first = next(iter(errors.values()))
        super().__init__(first.message)
        self.status = first.status
        self.code = first.code
        self.fields = {field: error.message for field, error in errors.items()}
