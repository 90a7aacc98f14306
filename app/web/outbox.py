"""Headers of changes that waited in a browser: their user, their format, and their age.

They are sent with page forms, JSON calls and photos alike.
"""

import re
from datetime import datetime, timedelta

from flask import request

from app import dates
from app.errors import ErrorCode, Forbidden, Invalid, Malformed

SCHEMA = 2
"""The format of a browser's entries, `SCHEMA` in widgets/src/outbox/entry.ts.

A release that raises it goes on reading the format before for 90 days, since phones may be
without a line so long. A later one may stop that: it leaves the earlier format out of
`READ_SCHEMAS`.
"""

READ_SCHEMAS = frozenset({SCHEMA - 1, SCHEMA})

MAX_AGE = timedelta(days=30)
"""Older changes are made only once their person has confirmed them."""

LONGEST_WAIT = timedelta(days=2 * 365)
"""The longest time that a change can say it waited."""

USER, SCHEMA_HEADER, AGE = "Outbox-User", "Outbox-Schema", "Outbox-Age"

_NUMBER = re.compile(r"-?[0-9]{1,10}")


class OtherUser(Forbidden):
    """The change belongs to another user than the signed-in one."""

    code = ErrorCode.OTHER_USER
    message = "Somebody else made this. It is sent once they sign in here."


class UnreadSchema(Invalid):
    """The change is in a format that this release doesn't read."""

    code = ErrorCode.OUTBOX_SCHEMA
    message = (
        "This was kept by another version of the app. Load the page again, then send it again."
    )


class MadeLongAgo(Invalid):
    """The change is so old that its person has to confirm it."""

    code = ErrorCode.MADE_LONG_AGO

    def __init__(self, made_at: datetime) -> None:
        day = dates.format_day(dates.london_day(made_at))
        super().__init__(f"This was made on {day}. Check whether it is still to be sent.")


def check_request(user_id: int) -> None:
    """Check a request's headers. Raises OtherUser; for a change UnreadSchema and Malformed."""
    sender = _number(USER)
    if sender is not None and sender != user_id:
        raise OtherUser
    if request.method in ("GET", "HEAD"):
        return
    schema = _number(SCHEMA_HEADER)
    if schema is not None and schema not in READ_SCHEMAS:
        raise UnreadSchema
    made_at()


def check_age() -> None:
    """Raise MadeLongAgo for a change older than MAX_AGE, unless its person has confirmed it.

    Call it right before the change: an earlier submission gets its reply first.
    """
    moment = made_at()
    is_confirmed = request.headers.get("Outbox-Confirmed") == "1"
    if moment is not None and dates.utc_now() - moment > MAX_AGE and not is_confirmed:
        raise MadeLongAgo(moment)


def made_at() -> datetime | None:
    """Return when the waiting change was made, else None, by our clock: a phone's may be wrong."""
    age, longest = _number(AGE), int(LONGEST_WAIT.total_seconds())
    if age is None:
        return None
    if not 0 <= age <= longest:
        raise Malformed(f"The header {AGE} must be a number of seconds from 0 to {longest}.")
    return dates.utc_now() - timedelta(seconds=age)


def _number(name: str) -> int | None:
    text = request.headers.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise Malformed(f"The header {name} must be a whole number.")
    return int(text)
