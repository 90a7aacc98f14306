"""What accounts may do and what passwords must be; pure."""

import ipaddress
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from app import names
from app.divisions import Division
from app.errors import Invalid, Throttled

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 1000
LONGEST_USERNAME = 64
LONGEST_SCOPE = 100

SESSION_LASTS = timedelta(hours=12)
REFRESH_TOKEN_LASTS = timedelta(days=30)
SAME_SUCCESSOR_FOR = timedelta(seconds=60)
"""How long a refresh token that was used gives the same successor again: a reply may get lost."""

FAILURE_WINDOW = timedelta(minutes=15)
FAILURES_PER_ACCOUNT = 5
FAILURES_PER_ADDRESS = 100

_AUTOMATIC = (Division.GFM, Division.GPM, Division.FLEET)


def divisions_of(permissions: Iterable[str], scopes: Iterable[str]) -> frozenset[Division]:
    """Return the divisions that permissions give, else the scopes' prefixes (seed §6).

    Nothing absent means allowed: without either the answer is empty (design §4).
    """
    named = {permission.casefold() for permission in permissions}
    prefixed = {scope.partition(":")[0].casefold() for scope in scopes}
    return frozenset(d for d in Division if d in named) or frozenset(
        d for d in Division if d in prefixed
    )


def automatic_choice(held: frozenset[Division]) -> Division | None:
    """Return the division set at sign-in: the one of GFM, GPM and Fleet that is held."""
    candidates = [d for d in _AUTOMATIC if d in held]
    return candidates[0] if len(candidates) == 1 else None


class Rotation(StrEnum):
    """What a refresh token that is shown means for its family."""

    NEXT = "next"
    SAME_AGAIN = "same again"
    REUSED = "reused"


def rotation(shown: int, latest: int, rotated_at: datetime, now: datetime) -> Rotation:
    """Judge a family's refresh token by its generation; an older one was copied (design §4)."""
    if shown == latest:
        return Rotation.NEXT
    is_repeat = shown == latest - 1 and now - rotated_at <= SAME_SUCCESSOR_FOR
    return Rotation.SAME_AGAIN if is_repeat else Rotation.REUSED


def check_new_password(password: str) -> None:
    """Raise Invalid when a password is too short or too long."""
    if len(password) < SHORTEST_PASSWORD:
        raise Invalid(f"Password must have at least {SHORTEST_PASSWORD} characters.", "new")
    if len(password) > LONGEST_PASSWORD:
        raise Invalid(f"Password must have at most {LONGEST_PASSWORD} characters.", "new")


def check_scope(scope: str) -> str:
    """Return a scope such as 'gfm:read'; raise Invalid when its prefix names no division."""
    prefix, colon, name = scope.strip().casefold().partition(":")
    if prefix not in list(Division) or not colon or not name or len(scope) > LONGEST_SCOPE:
        raise Invalid(f'"{scope}" is not a scope like gfm:read')
    return f"{prefix}:{name}"


def counted_account(username: str) -> str:
    """Return what failures are counted by when this was typed as username."""
    return names.key(username[:200])[:200]


def counted_address(address: str | None) -> str:
    """Return what failures are counted by: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def check_throttle(failures: Sequence[datetime], most: int, now: datetime) -> None:
    """Raise Throttled when the window holds `most` failures already.

    `failures` are those of the window, oldest first.
    """
    if len(failures) < most:
        return
    free_again = failures[-most] + FAILURE_WINDOW
    seconds = max(1, int((free_again - now).total_seconds()) + 1)
    minutes = -(-seconds // 60)
    wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
    raise Throttled(f"Too many failed attempts. Try again in {wait}.", seconds)
