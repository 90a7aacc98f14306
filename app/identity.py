"""The signed-in user of a request, as guards, pages and templates see them, and its channel."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.divisions import Division

ACCESS_LIFETIME = timedelta(minutes=30)


class Channel(StrEnum):
    """What people and programs work through."""

    SCREEN = "screen"
    API = "api"
    TERMINAL = "terminal"


@dataclass(frozen=True)
class SignedInUser:
    """The user of one login session, in the form that Flask-Login expects.

    `divisions` are those that the user may work in, `chosen` is the one they work in now.
    """

    session_id: str
    user_id: int
    username: str
    divisions: frozenset[Division]
    chosen: Division | None
    renewed_at: datetime
    renewable_until: datetime

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def get_id(self) -> str:
        """Return the login session's id, which is all that the cookie carries."""
        return self.session_id

    @property
    def access_until(self) -> datetime:
        """Return when access ends unless it is renewed."""
        return min(self.renewed_at + ACCESS_LIFETIME, self.renewable_until)
