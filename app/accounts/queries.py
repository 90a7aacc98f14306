"""Reads of accounts: who is signed in, whose password is right."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, selectinload

from app import dates, names
from app.accounts import rules
from app.accounts.models import AccessGrant, GrantKind, LoginSession, SignInFailure, User
from app.db import db, reading
from app.web.access import SignedIn

hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def signed_in(session_id: str) -> SignedIn | None:
    """Return the user of a live login session, in one statement and a session of its own."""
    now = dates.utc_now()
    statement = (
        select(LoginSession, User, AccessGrant)
        .join(User, User.id == LoginSession.user_id)
        .outerjoin(AccessGrant, AccessGrant.user_id == User.id)
        .where(
            LoginSession.id == session_id,
            LoginSession.revoked_at.is_(None),
            LoginSession.expires_at > now,
            User.disabled_at.is_(None),
        )
    )
    with reading() as session:
        rows = session.execute(statement).all()
    if not rows:
        return None
    login, user, _ = rows[0]
    grants: list[AccessGrant] = [row.AccessGrant for row in rows if row.AccessGrant]
    held = rules.divisions_of(
        (g.value for g in grants if g.kind is GrantKind.PERMISSION),
        (g.value for g in grants if g.kind is GrantKind.SCOPE),
    )
    return SignedIn(
        session_id=login.id,
        user_id=user.id,
        username=user.username,
        divisions=held,
        chosen=login.chosen_division if login.chosen_division in held else None,
        renewed_at=login.renewed_at,
        renewable_until=login.expires_at,
    )


def user_named(username: str) -> User | None:
    """Return the account with this name, whatever its case."""
    return db.session.execute(
        select(User)
        .where(User.username_key == names.key(username))
        .options(selectinload(User.grants))
    ).scalar_one_or_none()


def all_users() -> Sequence[User]:
    """Return every account, by name."""
    statement = select(User).order_by(User.username_key).options(selectinload(User.grants))
    return db.session.execute(statement).scalars().all()


def authenticate(username: str, password: str, address: str) -> User | None:
    """Return the account whose password this is, None for a wrong pair.

    It takes as long for an unknown name as for a wrong password. Raises Throttled when the
    account or the address has failed too often, without looking at the password.
    """
    account = rules.counted_account(username)
    with reading() as session:
        check_throttle(session, account, address)
        user = session.execute(select(User).filter_by(username_key=account)).scalar_one_or_none()
    usable = user is not None and user.disabled_at is None
    stored = user.password_hash if user is not None and usable else _nobodys_hash()
    try:
        hasher.verify(stored, password[: rules.LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return None
    return user if usable else None


def check_throttle(session: Session, account: str, address: str) -> None:
    """Raise Throttled when the account or the address has failed too often."""
    now = dates.utc_now()
    for column, value, most in (
        (SignInFailure.account == account, account, rules.FAILURES_PER_ACCOUNT),
        (SignInFailure.address == address, address, rules.FAILURES_PER_ADDRESS),
    ):
        if value:
            rules.check_throttle(_failures(session, column, now), most, now)


def _failures(session: Session, whose: ColumnElement[bool], now: datetime) -> Sequence[datetime]:
    statement = (
        select(SignInFailure.at)
        .where(whose, SignInFailure.at > now - rules.FAILURE_WINDOW)
        .order_by(SignInFailure.at)
    )
    return session.execute(statement).scalars().all()


@cache
def _nobodys_hash() -> str:
    return hasher.hash("a password that no account has")
