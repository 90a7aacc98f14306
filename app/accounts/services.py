"""Changes of accounts and login sessions; the caller's transaction keeps them."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import delete, update

from app import dates, names
from app.accounts import queries, rules
from app.accounts.models import AccessGrant, GrantKind, LoginSession, SignInFailure, User
from app.db import db, hold, transaction
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound
from app.web.idempotency import forget_old_keys

LOGIN_SESSIONS_KEPT_FOR = timedelta(days=30)


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
        password_hash=queries.hasher.hash(password),
        created_at=dates.utc_now(),
    )
    user.grants = [AccessGrant(kind=GrantKind.PERMISSION, value=d.value) for d in permissions]
    user.grants += [AccessGrant(kind=GrantKind.SCOPE, value=scope) for scope in wanted]
    db.session.add(user)
    db.session.flush()
    return user


def grant(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Give an account divisions and scopes; what it has already stays."""
    user = _user(username)
    held = {(g.kind, g.value) for g in user.grants}
    for kind, value in _grants(divisions, scopes):
        if (kind, value) not in held:
            user.grants.append(AccessGrant(kind=kind, value=value))
    return user


def revoke(username: str, divisions: Iterable[Division], scopes: Iterable[str]) -> User:
    """Take divisions and scopes away, from the next request on."""
    user = _user(username)
    taken = set(_grants(divisions, scopes))
    missing = taken - {(g.kind, g.value) for g in user.grants}
    if missing:
        listed = ", ".join(sorted(value for _, value in missing))
        raise Invalid(f'"{user.username}" does not have: {listed}')
    user.grants = [g for g in user.grants if (g.kind, g.value) not in taken]
    return user


def disable(username: str) -> User:
    """Close an account and end its login sessions at once."""
    user = _user(username)
    user.disabled_at = user.disabled_at or dates.utc_now()
    end_sessions(user.id)
    return user


def enable(username: str) -> User:
    """Open a closed account again."""
    user = _user(username)
    user.disabled_at = None
    return user


def set_password(username: str, password: str) -> User:
    """Set an account's password and end its login sessions."""
    user = _user(username)
    _store_password(user, password)
    return user


def change_password(user_id: int, new: str, confirm: str, address: str) -> None:
    """Set the password of a user who has just proved the old one; ends every login session.

    Raises Invalid, and Throttled when guesses were made meanwhile.
    """
    user = db.session.get_one(User, user_id)
    _hold_and_check(user.username_key, address)
    if new != confirm:
        raise Invalid("New passwords do not match.", "confirm")
    _store_password(user, new)


def record_failure(account: str, address: str) -> None:
    """Count a wrong password; raises Throttled when there were too many before it."""
    _hold_and_check(account, address)
    db.session.add(SignInFailure(account=account, address=address, at=dates.utc_now()))


def open_session(user_id: int, password: str, address: str) -> LoginSession:
    """Open a login session for a user whose password was right.

    Raises Throttled when guesses beyond the limit were made meanwhile: then a right one counts
    for nothing.
    """
    user = db.session.get_one(User, user_id)
    _hold_and_check(user.username_key, address)
    if queries.hasher.check_needs_rehash(user.password_hash):
        user.password_hash = queries.hasher.hash(password)
    db.session.execute(delete(SignInFailure).filter_by(account=user.username_key))
    now = dates.utc_now()
    _forget_what_is_over(now)
    held = rules.divisions_of(user.granted(GrantKind.PERMISSION), user.granted(GrantKind.SCOPE))
    login = LoginSession(
        id=secrets.token_urlsafe(32),
        user_id=user.id,
        created_at=now,
        renewed_at=now,
        expires_at=now + rules.SESSION_LASTS,
        chosen_division=rules.automatic_choice(held),
    )
    db.session.add(login)
    db.session.flush()
    return login


def close_session(session_id: str) -> None:
    """End one login session."""
    _revoke_sessions(LoginSession.id == session_id)


def end_sessions(user_id: int) -> None:
    """End every login session of a user."""
    _revoke_sessions(LoginSession.user_id == user_id)


def renew_session(session_id: str, chosen: Division | None) -> None:
    """Renew the access of a live login session and store the chosen division with it."""
    db.session.execute(
        update(LoginSession)
        .where(
            LoginSession.id == session_id,
            LoginSession.revoked_at.is_(None),
            LoginSession.expires_at > dates.utc_now(),
        )
        .values(renewed_at=dates.utc_now(), chosen_division=chosen)
    )


def renew_and_choose(session_id: str, chosen: Division | None) -> None:
    """Renew on behalf of the guard, which runs before any edge could open a transaction."""
    with transaction():
        renew_session(session_id, chosen)


def _revoke_sessions(which: object) -> None:
    db.session.execute(
        update(LoginSession)
        .where(which, LoginSession.revoked_at.is_(None))  # type: ignore[arg-type]
        .values(revoked_at=dates.utc_now())
    )


def _store_password(user: User, password: str) -> None:
    rules.check_new_password(password)
    user.password_hash = queries.hasher.hash(password)
    end_sessions(user.id)


def _hold_and_check(account: str, address: str) -> None:
    hold(f"sign-in {account}")
    queries.check_throttle(db.session(), account, address)


def _forget_what_is_over(now: datetime) -> None:
    old = now - LOGIN_SESSIONS_KEPT_FOR
    db.session.execute(delete(LoginSession).where(LoginSession.expires_at < old))
    db.session.execute(delete(SignInFailure).where(SignInFailure.at < now - rules.FAILURE_WINDOW))
    forget_old_keys()


def _user(username: str) -> User:
    user = queries.user_named(username)
    if user is None:
        raise NotFound(f'There is no user "{username}"')
    return user


def _grants(divisions: Iterable[Division], scopes: Iterable[str]) -> list[tuple[GrantKind, str]]:
    return [(GrantKind.PERMISSION, d.value) for d in divisions] + [
        (GrantKind.SCOPE, rules.check_scope(scope)) for scope in scopes
    ]
