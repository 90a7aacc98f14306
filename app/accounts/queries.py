"""Reads of accounts, login sessions and failed sign-ins."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Row,
    ScalarSelect,
    bindparam,
    null,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, Session, selectinload

from app import dates, names
from app.accounts import rules
from app.accounts.models import AccessGrant, GrantKind, LoginSession, RoleGrant, SignInFailure, User
from app.db import db, single_read
from app.identity import SignedInUser

_IS_LIVE = (
    LoginSession.id == bindparam("session_id"),
    LoginSession.is_api == bindparam("is_api"),
    LoginSession.revoked_at.is_(None),
    LoginSession.expires_at > bindparam("now"),
    User.disabled_at.is_(None),
)
_SESSION = (
    LoginSession.user_id,
    User.username,
    LoginSession.chosen_division,
    LoginSession.renewed_at,
    LoginSession.expires_at,
    LoginSession.is_read_only,
    User.preferences,
    User.preference_revision,
)
_SIGNED_IN_USER: CompoundSelect[Any] = union_all(
    select(
        *_SESSION,
        AccessGrant.kind,
        AccessGrant.value,
        type_coerce(null(), RoleGrant.division.type).label("division"),
        type_coerce(null(), RoleGrant.role.type).label("role"),
    )
    .join(User, User.id == LoginSession.user_id)
    .outerjoin(AccessGrant, AccessGrant.user_id == User.id)
    .where(*_IS_LIVE),
    select(*_SESSION, null(), null(), RoleGrant.division, RoleGrant.role)
    .join(User, User.id == LoginSession.user_id)
    .join(RoleGrant, RoleGrant.user_id == User.id)
    .where(*_IS_LIVE),
)
"""Joined apart: together they would be a row for each pair of a grant and a role."""

WITH_GRANTS = (selectinload(User.grants), selectinload(User.role_grants))
_LOCKED_SESSION = (
    select(LoginSession)
    .join(User, User.id == LoginSession.user_id)
    .where(*_IS_LIVE)
    .with_for_update(of=LoginSession)
)


def signed_in_user(session_id: str, *, is_api: bool = False) -> SignedInUser | None:
    """Return the user of a browser's live session, or of an API client's with `is_api`.

    Every request needs it, so it is one statement, built once and without entities, on a connection
    that is returned at once: `db.session` remains unused, so that `transaction` can begin it with a
    write lock.
    """
    with single_read() as connection:
        rows = connection.execute(_SIGNED_IN_USER, _live_values(session_id, is_api=is_api)).all()
    if not rows:
        return None
    first = rows[0]
    granted = rules.granted_roles(
        ((row.division, row.role) for row in rows if row.role),
        (row.value for row in rows if row.kind is GrantKind.PERMISSION),
    )
    roles = rules.roles_of(granted, (row.value for row in rows if row.kind is GrantKind.SCOPE))
    return SignedInUser(
        session_id=session_id,
        user_id=first.user_id,
        username=first.username,
        roles=roles,
        chosen=first.chosen_division if first.chosen_division in roles else None,
        renewed_at=first.renewed_at,
        renewable_until=first.expires_at,
        is_read_only=first.is_read_only,
        preferences=first.preferences or {},
        preference_revision=first.preference_revision,
    )


def lock_api_session(session_id: str) -> LoginSession | None:
    """Return an API client's live session, locked until the transaction ends."""
    values = _live_values(session_id, is_api=True)
    return db.session.execute(_LOCKED_SESSION, values).scalar_one_or_none()


def _live_values(session_id: str, *, is_api: bool) -> dict[str, Any]:
    return {"session_id": session_id, "is_api": is_api, "now": dates.utc_now()}


def user_named(username: str) -> User | None:
    """Return the account with this name, whatever its case."""
    return db.session.execute(
        select(User).where(User.username_key == names.key(username)).options(*WITH_GRANTS)
    ).scalar_one_or_none()


def user(user_id: int) -> User:
    """Return an account by its id."""
    return db.session.get_one(User, user_id, options=WITH_GRANTS)


def all_users() -> Sequence[User]:
    """Return every account, by name."""
    statement = select(User).order_by(User.username_key).options(*WITH_GRANTS)
    return db.session.execute(statement).scalars().all()


def api_sessions(username: str | None = None) -> Sequence[Row[*tuple[Any, ...]]]:
    """Return the live sessions of API clients, newest first; only one user's if named."""
    statement = (
        select(
            LoginSession.id,
            User.username,
            LoginSession.created_at.label("since"),
            LoginSession.renewed_at,
            LoginSession.expires_at,
            LoginSession.is_read_only,
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
    return db.session.execute(statement).all()


def username_of(user_id: InstrumentedAttribute[int | None]) -> ScalarSelect[str]:
    """Return the name of the user in a column, as a column to sort by."""
    return select(User.username).where(User.id == user_id).scalar_subquery()


def username_with_key(username_key: str) -> str | None:
    """Return the name of the account with a key, or None."""
    statement = select(User.username).filter_by(username_key=username_key)
    return db.session.execute(statement).scalar_one_or_none()


def usernames(user_ids: Iterable[int | None]) -> dict[int | None, str]:
    """Return the usernames of some accounts by id; None, which is the terminal, has ''."""
    found: dict[int | None, str] = {None: ""}
    if ids := {id_ for id_ in user_ids if id_ is not None}:
        statement = select(User.id, User.username).where(User.id.in_(sorted(ids)))
        found |= {row.id: row.username for row in db.session.execute(statement)}
    return found


def sign_in_failures(
    session: Session, now: datetime, *, account: str = "", address: str = ""
) -> Sequence[datetime]:
    """Return the times of an account's or address's failures in the window, oldest first."""
    is_counted = SignInFailure.account == account if account else SignInFailure.address == address
    statement = (
        select(SignInFailure.at)
        .where(is_counted, SignInFailure.at > now - rules.FAILURE_WINDOW)
        .order_by(SignInFailure.at)
    )
    return session.execute(statement).scalars().all()
