"""Accounts: who may do what, and with which password."""

from collections.abc import Iterable

from app import dates, names
from app.accounts import queries, rules
from app.accounts.models import AccessGrant, GrantKind, User
from app.accounts.services.sessions import end_sessions, hasher, still_proved
from app.db import db
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound


class WrongCurrentPassword(Invalid):
    """Who wants to change a password doesn't know the one that holds."""

    def __init__(self) -> None:
        super().__init__("Current password is not right.", "current")


def create_user(
    username: str, password: str, divisions: Iterable[Division], scopes: Iterable[str]
) -> User:
    """Make an account; one without divisions and scopes is granted all four divisions (design §4).

    Raises Invalid and Conflict.
    """
    shown = names.clean(username, limit=rules.LONGEST_USERNAME, what="Username")
    if not shown:
        raise Invalid("Username is required")
    if queries.user_named(shown) is not None:
        raise Conflict(f'User "{shown}" already exists')
    rules.check_new_password(password)
    permissions = set(divisions)
    wanted = {rules.check_scope(scope) for scope in scopes}
    if not permissions and not wanted:
        permissions = set(Division)
    user = User(
        username=shown,
        username_key=names.key(shown),
        password_hash=hasher.hash(password),
        created_at=dates.utc_now(),
    )
    user.grants = [AccessGrant(kind=GrantKind.PERMISSION, value=d.value) for d in permissions]
    user.grants += [AccessGrant(kind=GrantKind.SCOPE, value=scope) for scope in wanted]
    db.session.add(user)
    db.session.flush()
    return user


def grant(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Give an account divisions and scopes; what it has already stays."""
    user = existing_user(username)
    held = {(g.kind, g.value) for g in user.grants}
    for kind, value in _grants(divisions, scopes):
        if (kind, value) not in held:
            user.grants.append(AccessGrant(kind=kind, value=value))
    return user


def revoke(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Take divisions and scopes away, from the next request on."""
    user = existing_user(username)
    taken = set(_grants(divisions, scopes))
    missing = taken - {(g.kind, g.value) for g in user.grants}
    if missing:
        listed = ", ".join(sorted(value for _, value in missing))
        hint = "; its access comes from scopes" if user.granted(GrantKind.SCOPE) else ""
        raise Invalid(f'"{user.username}" does not have: {listed}{hint}')
    user.grants = [g for g in user.grants if (g.kind, g.value) not in taken]
    return user


def disable(username: str) -> User:
    """Close an account and end its login sessions at once."""
    user = existing_user(username)
    user.disabled_at = user.disabled_at or dates.utc_now()
    end_sessions(user.id)
    return user


def enable(username: str) -> User:
    """Open a closed account again."""
    user = existing_user(username)
    user.disabled_at = None
    return user


def set_password(username: str, password: str) -> User:
    """Set an account's password and end its login sessions."""
    user = existing_user(username)
    _store_password(user, password)
    return user


def check_change(current: str, new: str) -> None:
    """Raise Invalid where the current or the new password is missing, and where they are one."""
    for field, typed in (("current", current), ("new", new)):
        if not typed:
            raise Invalid("Please fill in all fields.", field)
    if new == current:
        raise Invalid("The new password must be another one.", "new")


def change_password(proved: User, new: str, address: str) -> None:
    """Set the password of a user who has just proved the old one; ends every login session.

    Raises Invalid, and Throttled when guesses were made meanwhile.
    """
    _store_password(still_proved(proved, address), new)


def _store_password(user: User, password: str) -> None:
    rules.check_new_password(password)
    user.password_hash = hasher.hash(password)
    end_sessions(user.id)


def existing_user(username: str) -> User:
    """Return the account of this name; raises NotFound."""
    user = queries.user_named(username)
    if user is None:
        raise NotFound(f'There is no user "{username}"')
    return user


def _grants(divisions: Iterable[Division], scopes: Iterable[str]) -> list[tuple[GrantKind, str]]:
    wanted = [(GrantKind.PERMISSION, d.value) for d in divisions]
    wanted += [(GrantKind.SCOPE, rules.check_scope(scope)) for scope in scopes]
    return list(dict.fromkeys(wanted))
