"""Accounts: create, grant, revoke, disable, enable and set passwords."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from blinker import Signal

from app import dates, names
from app.accounts import queries, rules
from app.accounts.models import AccessGrant, GrantKind, RoleGrant, User
from app.accounts.services.sessions import (
    PasswordAttempt,
    close_sessions_of,
    confirm_attempt,
    hasher,
)
from app.audit.rules import Event
from app.audit.services import record
from app.db import db
from app.divisions import WHOLE_DIVISION, Division, Role
from app.errors import Conflict, Invalid, existing
from app.events.rules import EventKind, Values
from app.events.services import record_event

account_disabled = Signal()
"""Sent with a User that is being disabled, in its transaction, to features above accounts."""


@dataclass(frozen=True)
class _RoleIn:
    role: Role
    division: Division

    def __str__(self) -> str:
        return f"{self.role} of {self.division}"


_Grant = _RoleIn | str
"""A role in a division, or a scope."""


class WrongCurrentPassword(Invalid):
    """The current password that was given for a change is wrong."""

    def __init__(self) -> None:
        super().__init__("Current password is not right.", "current")


def create_user(
    username: str,
    password: str,
    divisions: Iterable[Division],
    scopes: Iterable[str],
    roles: Iterable[Role] = (),
) -> User:
    """Create an account; without divisions and scopes it is granted all four divisions.

    It gets `roles` in each of the divisions, worker and manager by default. Raises Invalid for a
    bad name, password or scope, and Conflict when the name exists.
    """
    cleaned = names.clean(username, limit=rules.MAX_USERNAME_LENGTH, what="Username")
    if not cleaned:
        raise Invalid("Username is required")
    if queries.user_named(cleaned) is not None:
        raise Conflict(f'User "{cleaned}" already exists')
    rules.check_new_password(password)
    in_each = list(roles) or WHOLE_DIVISION
    grants = _parse_grants(divisions, scopes, in_each) or _parse_grants(Division, (), in_each)
    user = User(
        username=cleaned,
        username_key=names.key(cleaned),
        password_hash=hasher.hash(password),
        created_at=dates.utc_now(),
    )
    _store_grants(user, grants)
    db.session.add(user)
    db.session.flush()
    _record(Event.ACCOUNT_CREATION, EventKind.ACCOUNT_CREATED, user, after=_listed(grants))
    return user


def grant(
    username: str, divisions: Iterable[Division], scopes: Iterable[str], roles: Iterable[Role] = ()
) -> User:
    """Grant an account further divisions and scopes.

    It gets `roles` in each of the divisions, worker and manager by default. Raises NotFound, and
    Invalid for a bad scope.
    """
    user = get_user(username)
    existing = _existing_grants(user)
    added = _parse_grants(divisions, scopes, list(roles) or WHOLE_DIVISION) - existing
    _store_grants(user, existing | added)
    if added:
        _record(Event.ACCESS_GRANT, EventKind.ACCOUNT_GRANTED, user, after=_listed(added))
    return user


def revoke(
    username: str, divisions: Iterable[Division], scopes: Iterable[str], roles: Iterable[Role] = ()
) -> User:
    """Revoke divisions and scopes, from the next request on; of the divisions only some `roles`.

    Raises NotFound, and Invalid for a scope, division or role that the account doesn't have.
    """
    user = get_user(username)
    existing = _existing_grants(user)
    owners, named_roles = list(divisions), list(roles)
    named = _parse_grants(owners, scopes, named_roles)
    missing = {str(each) for each in named - existing}
    if not named_roles:
        owned = user.granted_roles()
        missing |= {division.value for division in owners if division not in owned}
        named |= _parse_grants(owners, (), Role) & existing
    if missing:
        listed = ", ".join(sorted(missing))
        hint = "; its access comes from scopes" if user.granted(GrantKind.SCOPE) else ""
        raise Invalid(f'"{user.username}" does not have: {listed}{hint}')
    _store_grants(user, existing - named)
    if named:
        _record(Event.ACCESS_REVOCATION, EventKind.ACCOUNT_REVOKED, user, before=_listed(named))
    return user


def disable(username: str) -> User:
    """Disable an account and end its login sessions; raises NotFound."""
    user = get_user(username)
    user.disabled_at = user.disabled_at or dates.utc_now()
    sessions = close_sessions_of(user.id)
    account_disabled.send(user)
    _record(Event.ACCOUNT_DISABLING, EventKind.ACCOUNT_DISABLED, user, sessions=sessions)
    return user


def enable(username: str) -> User:
    """Enable a disabled account again; raises NotFound."""
    user = get_user(username)
    user.disabled_at = None
    _record(Event.ACCOUNT_ENABLING, EventKind.ACCOUNT_ENABLED, user)
    return user


def set_password(username: str, password: str) -> User:
    """Set an account's password and end its login sessions; raises NotFound and Invalid."""
    user = get_user(username)
    _store_password(user, password)
    return user


def check_change(current: str, new: str) -> None:
    """Raise Invalid when the current or new password is missing, or both are the same."""
    for field, password in (("current", current), ("new", new)):
        if not password:
            raise Invalid("Please fill in all fields.", field)
    if new == current:
        raise Invalid("The new password must differ from the current one.", "new")


def change_password(attempt: PasswordAttempt, new: str) -> User | None:
    """Set the new password of a user after a right one, and end every login session.

    Returns None for a wrong one; `confirm_attempt` describes this and the errors. Raises Invalid
    when the new password is too short or too long.
    """
    user = confirm_attempt(attempt)
    if user is not None:
        _store_password(user, new)
    return user


def get_user(username: str) -> User:
    """Return the account of this name; raises NotFound."""
    return existing(queries.user_named(username), f'There is no user "{username}"')


def _store_password(user: User, password: str) -> None:
    rules.check_new_password(password)
    user.password_hash = hasher.hash(password)
    sessions = close_sessions_of(user.id)
    _record(Event.PASSWORD_CHANGE, EventKind.ACCOUNT_PASSWORD_CHANGED, user, sessions=sessions)


def _record(
    entry: Event,
    kind: EventKind,
    user: User,
    *,
    before: Values | None = None,
    after: Values | None = None,
    **detail: Any,
) -> None:
    record(entry, user.username, **(before or after or {}), **detail)
    record_event(kind, "account", user.id, division=None, before=before, after=after)


def _existing_grants(user: User) -> frozenset[_Grant]:
    roles = {_RoleIn(role, d) for d, existing in user.granted_roles().items() for role in existing}
    return frozenset({*roles, *user.granted(GrantKind.SCOPE)})


def _store_grants(user: User, grants: frozenset[_Grant]) -> None:
    """Store an account's grants, with a permission for each division of a worker."""
    roles = {(each.division, each.role) for each in grants if isinstance(each, _RoleIn)}
    values = {(GrantKind.SCOPE, each) for each in grants if isinstance(each, str)}
    values |= {(GrantKind.PERMISSION, d.value) for d, role in roles if role is Role.WORKER}
    stored_roles = {(each.division, each.role): each for each in user.role_grants}
    stored = {(each.kind, each.value): each for each in user.grants}
    user.role_grants = [
        stored_roles.get(key) or RoleGrant(division=key[0], role=key[1]) for key in sorted(roles)
    ]
    user.grants = [
        stored.get(key) or AccessGrant(kind=key[0], value=key[1]) for key in sorted(values)
    ]


def _listed(grants: Iterable[_Grant]) -> Values:
    listed = (f"scope {each}" if isinstance(each, str) else str(each) for each in grants)
    return {"grants": sorted(listed)}


def _parse_grants(
    divisions: Iterable[Division], scopes: Iterable[str], roles: Iterable[Role]
) -> frozenset[_Grant]:
    in_divisions = {_RoleIn(role, division) for division in divisions for role in roles}
    return frozenset({*in_divisions, *map(rules.parse_scope, scopes)})
