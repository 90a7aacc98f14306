"""Changes of accounts and login sessions; the caller's transaction keeps them."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app import dates, names
from app.accounts import queries, rules
from app.accounts.models import AccessGrant, GrantKind, LoginSession, SignInFailure, User
from app.db import db, hold, reading
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound
from app.web.idempotency import forget_old_keys

hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

LOGIN_SESSIONS_KEPT_FOR = timedelta(days=30)


class InvalidCredentials(Invalid):
    """The pair of username and password is wrong, or is so no longer."""

    def __init__(self) -> None:
        super().__init__("Invalid credentials")


def authenticate(username: str, password: str, address: str) -> User | None:
    """Return the account whose password this is, None for a wrong pair.

    It takes as long for an unknown name as for a wrong password. Raises Throttled when the
    account or the address has failed too often, without looking at the password.
    """
    account = rules.counted_account(username)
    with reading() as session:
        _refuse_if_throttled(session, account, address)
        user = session.execute(select(User).filter_by(username_key=account)).scalar_one_or_none()
    usable = user is not None and user.disabled_at is None
    stored = user.password_hash if user is not None and usable else _nobodys_hash()
    try:
        hasher.verify(stored, password[: rules.LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return None
    return user if usable else None


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
        hint = "; its access comes from scopes" if user.granted(GrantKind.SCOPE) else ""
        raise Invalid(f'"{user.username}" does not have: {listed}{hint}')
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


def change_password(proved: User, new: str, address: str) -> None:
    """Set the password of a user who has just proved the old one; ends every login session.

    Raises Invalid, and Throttled when guesses were made meanwhile.
    """
    _store_password(_still_proved(proved, address), new)


def record_failure(account: str, address: str) -> None:
    """Count a wrong password; raises Throttled when there were too many before it."""
    _hold_and_check(account, address)
    db.session.add(SignInFailure(account=account, address=address, at=dates.utc_now()))


def open_session(proved: User, password: str, address: str) -> LoginSession:
    """Open a login session for a user whose password was right.

    Raises Throttled when guesses beyond the limit were made meanwhile, InvalidCredentials when
    the account was disabled or its password changed: then a right one counts for nothing.
    """
    user = _still_proved(proved, address)
    if hasher.check_needs_rehash(user.password_hash):
        user.password_hash = hasher.hash(password)
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


def renew_session(session_id: str, chosen: Division | None = None) -> None:
    """Renew the access of a live login session; with `chosen`, work in that division from now."""
    now = dates.utc_now()
    values = {"renewed_at": now} | ({"chosen_division": chosen} if chosen else {})
    db.session.execute(
        update(LoginSession)
        .where(
            LoginSession.id == session_id,
            LoginSession.revoked_at.is_(None),
            LoginSession.expires_at > now,
        )
        .values(values)
    )


def _still_proved(proved: User, address: str) -> User:
    """Return the account under a lock, if it is as it was when its password was verified."""
    _hold_and_check(proved.username_key, address)
    user = db.session.get_one(User, proved.id, with_for_update=True)
    if user.disabled_at is not None or user.password_hash != proved.password_hash:
        raise InvalidCredentials
    return user


def _revoke_sessions(which: object) -> None:
    db.session.execute(
        update(LoginSession)
        .where(which, LoginSession.revoked_at.is_(None))  # type: ignore[arg-type]
        .values(revoked_at=dates.utc_now())
    )


def _store_password(user: User, password: str) -> None:
    rules.check_new_password(password)
    user.password_hash = hasher.hash(password)
    end_sessions(user.id)


def _hold_and_check(account: str, address: str) -> None:
    hold(f"account {account}")
    hold(f"address {address}")
    _refuse_if_throttled(db.session(), account, address)


def _refuse_if_throttled(session: Session, account: str, address: str) -> None:
    now = dates.utc_now()
    by_account = queries.sign_in_failures(session, now, account=account) if account else ()
    rules.check_throttle(by_account, rules.FAILURES_PER_ACCOUNT, now)
    by_address = queries.sign_in_failures(session, now, address=address)
    rules.check_throttle(by_address, rules.FAILURES_PER_ADDRESS, now)


@cache
def _nobodys_hash() -> str:
    return hasher.hash("a password that no account has")


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
    wanted = [(GrantKind.PERMISSION, d.value) for d in divisions]
    wanted += [(GrantKind.SCOPE, rules.check_scope(scope)) for scope in scopes]
    return list(dict.fromkeys(wanted))
