"""Reads of accounts: who is signed in, whose password is right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, selectinload

from app import dates, names
from app.accounts import rules
from app.accounts.models import AccessGrant, GrantKind, LoginSession, SignInFailure, User
from app.db import db, read_session
from app.web.access import SignedInUser


def signed_in(session_id: str, *, is_api: bool = False) -> SignedInUser | None:
    """Return the user of a browser's live session, or with `is_api` of an API client's.

    It takes one statement, in a session of its own.
    """
    statement = (
        select(LoginSession, User, AccessGrant)
        .join(User, User.id == LoginSession.user_id)
        .outerjoin(AccessGrant, AccessGrant.user_id == User.id)
        .where(*_is_live(session_id, is_api=is_api))
    )
    with read_session() as session:
        rows = session.execute(statement).all()
    if not rows:
        return None
    login, user, _ = rows[0]
    grants: list[AccessGrant] = [row.AccessGrant for row in rows if row.AccessGrant]
    held = rules.divisions_of(
        (g.value for g in grants if g.kind is GrantKind.PERMISSION),
        (g.value for g in grants if g.kind is GrantKind.SCOPE),
    )
    return SignedInUser(
        session_id=login.id,
        user_id=user.id,
        username=user.username,
        divisions=held,
        chosen=login.chosen_division if login.chosen_division in held else None,
        renewed_at=login.renewed_at,
        renewable_until=login.expires_at,
    )


def held_api_session(session_id: str) -> LoginSession | None:
    """Return an API client's live session under a lock."""
    statement = (
        select(LoginSession)
        .join(User, User.id == LoginSession.user_id)
        .where(*_is_live(session_id, is_api=True))
        .with_for_update(of=LoginSession)
    )
    return db.session.execute(statement).scalar_one_or_none()


def _is_live(session_id: str, *, is_api: bool) -> Sequence[ColumnElement[bool]]:
    return (
        LoginSession.id == session_id,
        LoginSession.is_api.is_(is_api),
        LoginSession.revoked_at.is_(None),
        LoginSession.expires_at > dates.utc_now(),
        User.disabled_at.is_(None),
    )


def user_named(username: str) -> User | None:
    """Return the account with this name, whatever its case."""
    return db.session.execute(
        select(User)
        .where(User.username_key == names.key(username))
        .options(selectinload(User.grants))
    ).scalar_one_or_none()


def user(user_id: int) -> User:
    """Return an account by its id."""
    return db.session.get_one(User, user_id, options=[selectinload(User.grants)])


def all_users() -> Sequence[User]:
    """Return every account, by name."""
    statement = select(User).order_by(User.username_key).options(selectinload(User.grants))
    return db.session.execute(statement).scalars().all()


@dataclass(frozen=True)
class ApiSession:
    """An API client that is signed in."""

    id: str
    username: str
    since: datetime
    renewed_at: datetime
    expires_at: datetime


def api_sessions(username: str | None = None) -> Sequence[ApiSession]:
    """Return the API clients that are signed in, the newest first; those of one user if named."""
    statement = (
        select(
            LoginSession.id,
            User.username,
            LoginSession.created_at,
            LoginSession.renewed_at,
            LoginSession.expires_at,
        )
        .join(User, User.id == LoginSession.user_id)
        .where(
            LoginSession.is_api,
            LoginSession.revoked_at.is_(None),
            LoginSession.expires_at > dates.utc_now(),
        )
        .order_by(LoginSession.created_at.desc(), LoginSession.id)
    )
    if username is not None:
        statement = statement.where(User.username_key == names.key(username))
    return [ApiSession(*row) for row in db.session.execute(statement)]


def usernames(user_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of some accounts by id."""
    statement = select(User.id, User.username).where(User.id.in_(sorted(user_ids)))
    return {row.id: row.username for row in db.session.execute(statement)}


def sign_in_failures(
    session: Session, now: datetime, *, account: str = "", address: str = ""
) -> Sequence[datetime]:
    """Return when sign-ins to an account or from an address failed lately, oldest first."""
    whose = SignInFailure.account == account if account else SignInFailure.address == address
    statement = (
        select(SignInFailure.at)
        .where(whose, SignInFailure.at > now - rules.FAILURE_WINDOW)
        .order_by(SignInFailure.at)
    )
    return session.execute(statement).scalars().all()
