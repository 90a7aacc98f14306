"""Users, their grants, login sessions and failed sign-ins."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Enum, ForeignKey, String, false, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db import Base, UtcDateTime, key_text
from app.divisions import Division


class GrantKind(StrEnum):
    """A permission is a division; a scope starts with one, such as 'gfm:read'."""

    PERMISSION = "permission"
    SCOPE = "scope"


class User(Base):
    """A person's account."""

    __tablename__ = "user_account"

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str] = mapped_column(String(64))
    username_key: Mapped[str] = mapped_column(key_text(200), unique=True)
    password_hash: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    disabled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    grants: Mapped[list["AccessGrant"]] = relationship(
        cascade="all, delete-orphan", order_by="AccessGrant.value"
    )

    def granted(self, kind: GrantKind) -> list[str]:
        """Return the values of one kind of grant."""
        return [grant.value for grant in self.grants if grant.kind is kind]


class AccessGrant(Base):
    """One permission or scope of a user."""

    __tablename__ = "access_grant"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    kind: Mapped[GrantKind] = mapped_column(
        Enum(
            GrantKind,
            name="kind",
            native_enum=False,
            create_constraint=True,
            values_callable=lambda kinds: [kind.value for kind in kinds],
        ),
        primary_key=True,
    )
    value: Mapped[str] = mapped_column(String(100), primary_key=True)


class LoginSession(Base):
    """The session of a browser, whose cookie carries only its id, or of an API client.

    All tokens of an API client's session belong together: `generation` counts its refresh tokens,
    the latest of which was issued at `rotated_at`.
    """

    __tablename__ = "login_session"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    renewed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    is_api: Mapped[bool] = mapped_column(default=False, server_default=false())
    generation: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    rotated_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    chosen_division: Mapped[Division | None] = mapped_column(
        Enum(
            Division,
            name="chosen_division",
            native_enum=False,
            create_constraint=True,
            values_callable=lambda divisions: [division.value for division in divisions],
        )
    )


class SignInFailure(Base):
    """A wrong password; failures are counted per account and per address."""

    __tablename__ = "sign_in_failure"

    id: Mapped[int] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(key_text(200), index=True)
    address: Mapped[str] = mapped_column(String(50), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
