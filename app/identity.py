"""The sender of a request: the signed-in user, the channel, and the address as it is counted."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from app.divisions import Division, Role

ACCESS_LIFETIME = timedelta(minutes=30)


class Channel(StrEnum):
    """The channel of people's and programs' work."""

    SCREEN = "screen"
    API = "api"
    TERMINAL = "terminal"


@dataclass(frozen=True)
class SignedInUser:
    """The user of one login session, in the form that Flask-Login expects.

    `roles` are the user's roles by division; `chosen` is the current division. `is_read_only` marks
    the access token of a program that requested read access. `preferences` are the person's own, on
    all devices; `preference_revision` changes with them and with what they chose of saved views.
    """

    session_id: str
    user_id: int
    username: str
    roles: Mapping[Division, frozenset[Role]]
    chosen: Division | None
    renewed_at: datetime
    renewable_until: datetime
    is_read_only: bool = False
    preferences: Mapping[str, Any] = field(default_factory=dict)
    preference_revision: int = 0

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def get_id(self) -> str:
        """Return the login session's id, the only content of the cookie."""
        return self.session_id

    @property
    def divisions(self) -> frozenset[Division]:
        """Return the divisions that the user may see."""
        return frozenset(self.roles)

    @property
    def access_until(self) -> datetime:
        """Return when access ends unless it is renewed."""
        return min(self.renewed_at + ACCESS_LIFETIME, self.renewable_until)


def counted_address(address: str | None) -> str:
    """Return an address as it is counted: IPv6 by its network of 64 bits, which one client has."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
