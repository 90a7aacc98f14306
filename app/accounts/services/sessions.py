"""Sessions and trusted browsers."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask import current_app
from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from app import dates
from app.accounts import queries, rules
from app.accounts.models import LoginSession, SignInFailure, User
from app.accounts.rules import FailureKeys
from app.audit.rules import NO_ACCOUNT, Event
from app.audit.services import record, record_earlier_failures, record_failure
from app.db import advisory_lock, db, read_session
from app.divisions import Division
from app.errors import ErrorCode, Invalid
from app.idempotency import delete_expired_keys

_SEPARATOR = ":"


def trusted_browser(cookie: str, password_hash: str) -> str | None:
    """Return the id of the browser with this cookie if the account trusts it, else None."""
    ids = (_read(mark, password_hash) for mark in _marks(cookie))
    return next((each for each in ids if each is not None), None)


def remember_browser(cookie: str, password_hash: str) -> str:
    """Return the cookie of a browser after a sign-in to the account with this password's hash."""
    new = _serializer(password_hash).dumps(secrets.token_urlsafe(12))
    others = [mark for mark in _marks(cookie) if _read(mark, password_hash) is None]
    return _SEPARATOR.join([str(new), *others][: rules.MAX_ACCOUNTS_PER_BROWSER])


def _marks(cookie: str) -> list[str]:
    return [mark for mark in cookie.split(_SEPARATOR) if mark][: rules.MAX_ACCOUNTS_PER_BROWSER]


def _read(mark: str, password_hash: str) -> str | None:
    try:
        browser = _serializer(password_hash).loads(
            mark, max_age=int(rules.TRUSTED_BROWSER_LIFETIME.total_seconds())
        )
    except BadData:
        return None
    return str(browser)


def _serializer(password_hash: str) -> URLSafeTimedSerializer:
    # The hash makes it a key of this account alone, and another one with each new password.
    salt = f"quartermaster-trusted-browser {password_hash}"
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt=salt)


hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class InvalidCredentials(Invalid):
    """The username or password is wrong, or no longer right."""

    code = ErrorCode.INVALID_CREDENTIALS
    message = "Invalid credentials"


@dataclass(frozen=True)
class PasswordAttempt:
    """The outcome of one try of a password; `user` is None when it was wrong.

    `account` is the key of the typed name, `keys` are those under which failures are counted.
    """

    account: str
    keys: FailureKeys
    user: User | None
    password: str = field(repr=False)


def authenticate(
    username: str,
    password: str,
    address: str | None,
    *,
    browser_cookie: str = "",
    session_id: str | None = None,
) -> PasswordAttempt:
    """Compare a password with the account's; call it outside a transaction, since it is slow.

    It hashes once, whether the name is known or not. The outcome counts only once it is
    confirmed. A browser that the account trusts by its cookie, or that is signed in to it, counts
    its own failures. Raises Throttled when the browser, or else the account or the address, has
    failed too often, without looking at the password.
    """
    account = rules.throttle_account(username)
    with read_session() as session:
        user = session.execute(select(User).filter_by(username_key=account)).scalar_one_or_none()
        browser = session_id or trusted_browser(browser_cookie, user.password_hash if user else "")
        keys = rules.failure_keys(username, address, browser)
        _check_throttle(session, keys)
    if user is not None and user.disabled_at is not None:
        user = None
    if user is None:
        hasher.hash(password[: rules.MAX_PASSWORD_LENGTH])
    is_right = user is not None and _is_password(password, user.password_hash)
    return PasswordAttempt(account, keys, user if is_right else None, password)


def confirm_attempt(attempt: PasswordAttempt) -> User | None:
    """Return the account of a right password, locked; count a wrong one and return None.

    Commit the transaction for a wrong one too. Raises Throttled when too many attempts failed
    meanwhile, and InvalidCredentials when the account was disabled or its password changed
    meanwhile.
    """
    keys = attempt.keys
    if keys.account:
        advisory_lock(f"account {keys.account}")
    advisory_lock(f"address {keys.address}")
    _check_throttle(db.session(), keys)
    if attempt.user is None:
        db.session.add(
            SignInFailure(account=keys.account, address=keys.address, at=dates.utc_now())
        )
        record_failure(queries.username_with_key(attempt.account) or NO_ACCOUNT)
        return None
    user = db.session.get_one(User, attempt.user.id, with_for_update=True)
    # A sign-in at the same time may have stored another hash of the same password.
    is_right = user.password_hash == attempt.user.password_hash or _is_password(
        attempt.password, user.password_hash
    )
    if user.disabled_at is not None or not is_right:
        raise InvalidCredentials
    record_earlier_failures(user.username)
    return user


def open_session(
    attempt: PasswordAttempt, *, is_api: bool = False, is_read_only: bool = False
) -> LoginSession | None:
    """Open a login session after a right password, which forgives the counted failures.

    A trusted browser forgives its own failures, not a stranger's. An API client's session may be
    read-only. Returns None for a wrong password; `confirm_attempt` describes this and the errors.
    """
    user = confirm_attempt(attempt)
    if user is None:
        return None
    if hasher.check_needs_rehash(user.password_hash):
        user.password_hash = hasher.hash(attempt.password)
    keys = attempt.keys
    counted = {"account": keys.account} if keys.account else {"address": keys.address}
    db.session.execute(delete(SignInFailure).filter_by(**counted))
    now = dates.utc_now()
    _delete_expired(now)
    login = LoginSession(
        id=secrets.token_urlsafe(32),
        user_id=user.id,
        created_at=now,
        renewed_at=now,
        expires_at=now + (rules.REFRESH_TOKEN_LIFETIME if is_api else rules.SESSION_LIFETIME),
        is_api=is_api,
        is_read_only=is_read_only,
        chosen_division=rules.automatic_choice(frozenset(user.roles())),
    )
    db.session.add(login)
    db.session.flush()
    detail = {"access": rules.Access.READ.value} if is_read_only else {}
    record(Event.SIGN_IN, user.username, by=user.id, **detail)
    return login


def close_session(session_id: str, *, event: Event = Event.SIGN_OUT) -> None:
    """End one login session; `event` is its entry in the audit trail."""
    user_ids = _revoke_sessions(LoginSession.id == session_id)
    usernames = queries.usernames(user_ids)
    for user_id in user_ids:
        record(event, usernames[user_id])


def close_sessions_of(user_id: int) -> int:
    """End every login session of a user and return their number; the caller records why."""
    return len(_revoke_sessions(LoginSession.user_id == user_id))


def renew_session(session_id: str, chosen: Division | None = None) -> None:
    """Renew a live session's access, and choose a division for it if one is given."""
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


def _is_password(password: str, password_hash: str) -> bool:
    try:
        return hasher.verify(password_hash, password[: rules.MAX_PASSWORD_LENGTH])
    except (VerificationError, InvalidHashError):
        return False


def _check_throttle(session: Session, keys: FailureKeys) -> None:
    now = dates.utc_now()
    if keys.account:
        by_account = queries.sign_in_failures(session, now, account=keys.account)
        rules.check_throttle(by_account, rules.MAX_FAILURES_PER_ACCOUNT, now)
    by_address = queries.sign_in_failures(session, now, address=keys.address)
    rules.check_throttle(by_address, keys.max_per_address, now)


def _revoke_sessions(condition: ColumnElement[bool]) -> Sequence[int]:
    """End login sessions and return the id of the user of each."""
    statement = (
        update(LoginSession)
        .where(condition, LoginSession.revoked_at.is_(None))
        .values(revoked_at=dates.utc_now())
        .returning(LoginSession.user_id)
    )
    return db.session.execute(statement).scalars().all()


def _delete_expired(now: datetime) -> None:
    """Delete old sessions, failures and idempotency keys; sign-ins are frequent enough for it."""
    ended_before = now - timedelta(days=30)
    db.session.execute(delete(LoginSession).where(LoginSession.expires_at < ended_before))
    db.session.execute(delete(SignInFailure).where(SignInFailure.at < now - rules.FAILURE_WINDOW))
    delete_expired_keys()
