"""Users, their roles and scopes, login sessions and failed sign-ins."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, false, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.accounts import rules
from app.db import Base, UtcDateTime, key_text, text_enum
from app.divisions import Division, Role


class GrantKind(StrEnum):
    """A scope starts with a division, such as 'gfm:read'.

    A permission is the division of a worker, as the last release stores it (decision 0025).
    """

    PERMISSION = "permission"
    SCOPE = "scope"


class User(Base):
    """A person's account.

    `preferences` are what the person chose for all their devices; `preference_revision` changes
    with them and with what they chose of saved views.
    """

    __tablename__ = "user_account"

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str] = mapped_column(String(64))
    username_key: Mapped[str] = mapped_column(key_text(200), unique=True)
    password_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    disabled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    preferences: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    preference_revision: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    grants: Mapped[list["AccessGrant"]] = relationship(
        cascade="all, delete-orphan", order_by="AccessGrant.value"
    )
    role_grants: Mapped[list["RoleGrant"]] = relationship(cascade="all, delete-orphan")

    def granted(self, kind: GrantKind) -> list[str]:
        """Return the values of one kind of grant."""
        return [grant.value for grant in self.grants if grant.kind is kind]

    def granted_roles(self) -> Mapping[Division, frozenset[Role]]:
        """Return the roles that are granted, by division; scopes are not looked at."""
        granted = ((grant.division, grant.role) for grant in self.role_grants)
        return rules.granted_roles(granted, self.granted(GrantKind.PERMISSION))

    def roles(self) -> Mapping[Division, frozenset[Role]]:
        """Return the roles that the account has, by division."""
        return rules.roles_of(self.granted_roles(), self.granted(GrantKind.SCOPE))


class AccessGrant(Base):
    """One permission or scope of a user."""

    __tablename__ = "access_grant"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    kind: Mapped[GrantKind] = mapped_column(text_enum(GrantKind, "kind"), primary_key=True)
    value: Mapped[str] = mapped_column(String(100), primary_key=True)


class RoleGrant(Base):
    """One role of a user in a division."""

    __tablename__ = "role_grant"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    division: Mapped[Division] = mapped_column(text_enum(Division, "division"), primary_key=True)
    role: Mapped[Role] = mapped_column(text_enum(Role, "role"), primary_key=True)


class LoginSession(Base):
    """The session of a browser, whose cookie carries only its id, or of an API client.

    All tokens of an API client's session belong together: `generation` counts its refresh tokens;
    the latest was issued at `rotated_at`.
    """

    __tablename__ = "login_session"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    renewed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    is_api: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_read_only: Mapped[bool] = mapped_column(default=False, server_default=false())
    generation: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    rotated_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    chosen_division: Mapped[Division | None] = mapped_column(text_enum(Division, "chosen_division"))


class SignInFailure(Base):
    """A wrong password; failures are counted per account and per address."""

    __tablename__ = "sign_in_failure"

    id: Mapped[int] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(key_text(200), index=True)
    address: Mapped[str] = mapped_column(String(50), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
