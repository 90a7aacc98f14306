"""Accounts: create, grant, revoke, disable, enable and set passwords."""

from collections.abc import Iterable

from app import dates, names
from app.accounts import queries, rules
from app.accounts.models import AccessGrant, GrantKind, User
from app.accounts.services.sessions import (
    PasswordAttempt,
    close_sessions_of,
    confirm_attempt,
    hasher,
)
from app.audit.rules import Event
from app.audit.services import record
from app.db import db
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound


class WrongCurrentPassword(Invalid):
    """The current password that was given for a change is wrong."""

    def __init__(self) -> None:
        super().__init__("Current password is not right.", "current")


def create_user(
    username: str, password: str, divisions: Iterable[Division], scopes: Iterable[str]
) -> User:
    """Create an account; without divisions and scopes it is granted all four divisions.

    Raises Invalid for a bad name, password or scope, and Conflict when the name exists.
    """
    cleaned = names.clean(username, limit=rules.MAX_USERNAME_LENGTH, what="Username")
    if not cleaned:
        raise Invalid("Username is required")
    if queries.user_named(cleaned) is not None:
        raise Conflict(f'User "{cleaned}" already exists')
    rules.check_new_password(password)
    grants = _parse_grants(divisions, scopes)
    if not grants:
        grants = _parse_grants(Division, ())
    user = User(
        username=cleaned,
        username_key=names.key(cleaned),
        password_hash=hasher.hash(password),
        created_at=dates.utc_now(),
        grants=[AccessGrant(kind=kind, value=value) for kind, value in grants],
    )
    db.session.add(user)
    db.session.flush()
    record(Event.ACCOUNT_CREATION, user.username, grants=_listed(grants))
    return user


def grant(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Grant an account divisions and scopes in addition to those it has.

    Raises NotFound, and Invalid for a bad scope.
    """
    user = get_user(username)
    existing = {(g.kind, g.value) for g in user.grants}
    added = [each for each in _parse_grants(divisions, scopes) if each not in existing]
    user.grants += [AccessGrant(kind=kind, value=value) for kind, value in added]
    if added:
        record(Event.ACCESS_GRANT, user.username, grants=_listed(added))
    return user


def revoke(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Revoke divisions and scopes, from the next request on.

    Raises NotFound, and Invalid for a scope or division that the account doesn't have.
    """
    user = get_user(username)
    revoked = set(_parse_grants(divisions, scopes))
    missing = revoked - {(g.kind, g.value) for g in user.grants}
    if missing:
        listed = ", ".join(sorted(value for _, value in missing))
        hint = "; its access comes from scopes" if user.granted(GrantKind.SCOPE) else ""
        raise Invalid(f'"{user.username}" does not have: {listed}{hint}')
    user.grants = [g for g in user.grants if (g.kind, g.value) not in revoked]
    if revoked:
        record(Event.ACCESS_REVOCATION, user.username, grants=_listed(revoked))
    return user


def disable(username: str) -> User:
    """Disable an account and end its login sessions; raises NotFound."""
    user = get_user(username)
    user.disabled_at = user.disabled_at or dates.utc_now()
    sessions = close_sessions_of(user.id)
    record(Event.ACCOUNT_DISABLING, user.username, sessions=sessions)
    return user


def enable(username: str) -> User:
    """Enable a disabled account again; raises NotFound."""
    user = get_user(username)
    user.disabled_at = None
    record(Event.ACCOUNT_ENABLING, user.username)
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
    """Set the password of a user whose current one was right, and end every login session.

    Returns None for a wrong one; see `confirm_attempt`, also for what it raises. Raises Invalid
    when the new password is too short or too long.
    """
    user = confirm_attempt(attempt)
    if user is not None:
        _store_password(user, new)
    return user


def get_user(username: str) -> User:
    """Return the account of this name; raises NotFound."""
    user = queries.user_named(username)
    if user is None:
        raise NotFound(f'There is no user "{username}"')
    return user


def _store_password(user: User, password: str) -> None:
    rules.check_new_password(password)
    user.password_hash = hasher.hash(password)
    record(Event.PASSWORD_CHANGE, user.username, sessions=close_sessions_of(user.id))


def _listed(grants: Iterable[tuple[GrantKind, str]]) -> list[str]:
    """Return grants as the audit trail lists them."""
    return sorted(f"{kind.value} {value}" for kind, value in grants)


def _parse_grants(
    divisions: Iterable[Division], scopes: Iterable[str]
) -> list[tuple[GrantKind, str]]:
    grants = [(GrantKind.PERMISSION, division.value) for division in divisions]
    grants += [(GrantKind.SCOPE, rules.parse_scope(scope)) for scope in scopes]
    return list(dict.fromkeys(grants))
