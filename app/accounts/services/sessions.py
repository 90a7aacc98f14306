"""Login sessions: who may open one, and how long it lasts."""

import secrets
from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app import dates
from app.accounts import queries, rules
from app.accounts.models import GrantKind, LoginSession, SignInFailure, User
from app.db import advisory_lock, db, read_session
from app.divisions import Division
from app.errors import Invalid
from app.web.idempotency import delete_expired_keys

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
    with read_session() as session:
        _refuse_if_throttled(session, account, address)
        user = session.execute(select(User).filter_by(username_key=account)).scalar_one_or_none()
    usable = user is not None and user.disabled_at is None
    stored = user.password_hash if user is not None and usable else _nobodys_hash()
    return user if _is_right(password, stored) and usable else None


def record_failure(account: str, address: str) -> None:
    """Count a wrong password; raises Throttled when there were too many before it."""
    _hold_and_check(account, address)
    db.session.add(SignInFailure(account=account, address=address, at=dates.utc_now()))


def open_session(
    proved: User, password: str, address: str, *, is_api: bool = False
) -> LoginSession:
    """Open a login session for a user whose password was right.

    Raises Throttled when guesses beyond the limit were made meanwhile, InvalidCredentials when
    the account was disabled or its password changed: then a right one counts for nothing.
    """
    user = still_proved(proved, address, password)
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
        expires_at=now + (rules.REFRESH_TOKEN_LASTS if is_api else rules.SESSION_LASTS),
        is_api=is_api,
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


def still_proved(proved: User, address: str, password: str | None = None) -> User:
    """Return the account under a lock, if it is open and the password that was right still is.

    Raises InvalidCredentials.
    """
    _hold_and_check(proved.username_key, address)
    user = db.session.get_one(User, proved.id, with_for_update=True)
    # Another sign-in may have hashed the same password anew meanwhile.
    is_same = user.password_hash == proved.password_hash or (
        password is not None and _is_right(password, user.password_hash)
    )
    if user.disabled_at is not None or not is_same:
        raise InvalidCredentials
    return user


def _is_right(password: str, stored: str) -> bool:
    try:
        return hasher.verify(stored, password[: rules.LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return False


def _revoke_sessions(which: object) -> None:
    db.session.execute(
        update(LoginSession)
        .where(which, LoginSession.revoked_at.is_(None))  # type: ignore[arg-type]
        .values(revoked_at=dates.utc_now())
    )


def _hold_and_check(account: str, address: str) -> None:
    advisory_lock(f"account {account}")
    advisory_lock(f"address {address}")
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
    delete_expired_keys()
