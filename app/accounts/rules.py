"""Rules of accounts: roles, passwords, refresh tokens and throttling; pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app import names
from app.divisions import WHOLE_DIVISION, Division, Role
from app.errors import Invalid, Throttled
from app.identity import counted_address
from app.money import count_of

MIN_PASSWORD_LENGTH = 12
MAX_PASSWORD_LENGTH = 1000
MAX_USERNAME_LENGTH = 64
MAX_SCOPE_LENGTH = 100

SESSION_LIFETIME = timedelta(hours=12)
REFRESH_TOKEN_LIFETIME = timedelta(days=30)
REPEAT_WINDOW = timedelta(seconds=60)
"""How long a used refresh token returns the same successor again, since a reply may get lost."""

FAILURE_WINDOW = timedelta(minutes=15)
MAX_FAILURES_PER_ACCOUNT = 5
MAX_FAILURES_PER_ADDRESS = 100

TRUSTED_BROWSER_LIFETIME = timedelta(days=365)
MAX_ACCOUNTS_PER_BROWSER = 10
"""How many accounts trust one browser: the last ones to sign in there."""

_MAX_THROTTLE_KEY_LENGTH = 200


def granted_roles(
    granted: Iterable[tuple[Division, Role]], permissions: Iterable[str]
) -> Mapping[Division, frozenset[Role]]:
    """Return the roles by division that roles and the last release's permissions grant.

    That release knows permissions alone, and this one keeps a permission beside each role of a
    worker. So a permission without one was granted by the last release, and is the whole division;
    a worker without one was revoked by it, and has nothing left.
    """
    named = {permission.casefold() for permission in permissions}
    pairs = list(granted)
    found = {}
    for division in Division:
        roles = frozenset(role for owner, role in pairs if owner == division)
        if (Role.WORKER in roles) != (division in named):
            roles = roles | WHOLE_DIVISION if division in named else frozenset()
        if roles:
            found[division] = roles
    return found


def roles_of(
    granted: Mapping[Division, frozenset[Role]], scopes: Iterable[str]
) -> Mapping[Division, frozenset[Role]]:
    """Return the granted roles, or else the whole divisions of the scopes' prefixes.

    Without either it is empty: without a grant everything is refused (docs/domain.md, Access and
    divisions).
    """
    prefixes = {scope.partition(":")[0].casefold() for scope in scopes}
    return granted or {d: WHOLE_DIVISION for d in Division if d in prefixes}


def automatic_choice(divisions: frozenset[Division]) -> Division | None:
    """Return the division chosen at sign-in: the only one among GFM, GPM and Fleet, or None."""
    candidates = [d for d in (Division.GFM, Division.GPM, Division.FLEET) if d in divisions]
    return candidates[0] if len(candidates) == 1 else None


class Access(StrEnum):
    """The access that an API client requests at sign-in: read-only tokens, or full ones."""

    READ = "read"
    WRITE = "write"


class Rotation(StrEnum):
    """The meaning of a presented refresh token for its session."""

    NEXT = "next"
    REPEAT = "repeat"
    REUSED = "reused"


def judge_rotation(presented: int, latest: int, rotated_at: datetime, now: datetime) -> Rotation:
    """Judge a refresh token by its generation and the session's latest one.

    An older token was copied, unless it is the previous one within the repeat window.
    """
    if presented == latest:
        return Rotation.NEXT
    is_repeat = presented == latest - 1 and now - rotated_at <= REPEAT_WINDOW
    return Rotation.REPEAT if is_repeat else Rotation.REUSED


def check_new_password(password: str) -> None:
    """Raise Invalid when a password is too short or too long."""
    if len(password) < MIN_PASSWORD_LENGTH:
        raise Invalid(f"Password must have at least {MIN_PASSWORD_LENGTH} characters.", "new")
    if len(password) > MAX_PASSWORD_LENGTH:
        raise Invalid(f"Password must have at most {MAX_PASSWORD_LENGTH} characters.", "new")


def parse_scope(scope: str) -> str:
    """Return a scope such as 'gfm:read' in its stored form.

    Raises Invalid when its prefix is not a division or it is too long.
    """
    prefix, colon, name = scope.strip().casefold().partition(":")
    if prefix not in list(Division) or not colon or not name or len(scope) > MAX_SCOPE_LENGTH:
        raise Invalid(f'"{scope}" is not a scope like gfm:read')
    return f"{prefix}:{name}"


def throttle_account(username: str) -> str:
    """Return the key under which a typed username's failures are counted."""
    return names.key(username[:_MAX_THROTTLE_KEY_LENGTH])[:_MAX_THROTTLE_KEY_LENGTH]


@dataclass(frozen=True)
class FailureKeys:
    """The keys under which the failures of a sign-in are counted, and the limit of its address.

    A trusted browser counts its own: `account` is then empty, `address` stands for the browser.
    """

    account: str
    address: str
    max_per_address: int


def failure_keys(username: str, address: str | None, browser: str | None) -> FailureKeys:
    """Return the keys for a typed username, from an address or by a trusted browser."""
    if browser is None:
        return FailureKeys(
            throttle_account(username), counted_address(address), MAX_FAILURES_PER_ADDRESS
        )
    digest = hashlib.sha256(browser.encode()).hexdigest()[:40]
    return FailureKeys("", f"browser {digest}", MAX_FAILURES_PER_ACCOUNT)


def check_throttle(failures: Sequence[datetime], limit: int, now: datetime) -> None:
    """Raise Throttled when the window already has `limit` failures.

    `failures` are the times of the failures in the window, oldest first.
    """
    if len(failures) < limit:
        return
    allowed_at = failures[-limit] + FAILURE_WINDOW
    seconds = max(1, int((allowed_at - now).total_seconds()) + 1)
    minutes = -(-seconds // 60)
    wait = count_of(minutes, "minute")
    raise Throttled(f"Too many failed attempts. Try again in {wait}.", seconds)
