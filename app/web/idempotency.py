"""Exactly once: a change that is sent again has no second effect (design §4)."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from app import dates
from app.db import Base, UtcDateTime, db
from app.errors import Invalid

KEY_LIFETIME = timedelta(days=7)
MAX_KEY_LENGTH = 100


class Record(Protocol):
    """A frozen dataclass of plain values, as services return them."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Result = TypeVar("Result", bound=Record)


class KeyReused(Invalid):
    """The key already stands for another body."""

    def __init__(self) -> None:
        super().__init__("This form was already sent; check before sending again.")


class IdempotencyKey(Base):
    """A change that took effect, with the result its reply is rendered from."""

    __tablename__ = "idempotency_key"
    __table_args__ = (UniqueConstraint("user_id", "call", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    call: Mapped[str] = mapped_column(String(300))
    key: Mapped[str] = mapped_column(String(MAX_KEY_LENGTH))
    digest: Mapped[str] = mapped_column(String(64))
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


@dataclass(frozen=True)
class Submission:
    """One sending of a change: who, which call, under which key, with what body."""

    user_id: int
    call: str
    key: str
    body: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """Return a hash of the body."""
        return hashlib.sha256(json.dumps(sorted(self.body)).encode()).hexdigest()


def exactly_once(submission: Submission, kind: type[Result], work: Callable[[], Result]) -> Result:
    """Do the work unless this submission was done before; return its result either way.

    Call it inside a transaction: the key is inserted first and lives or dies with the effect.
    Raises KeyReused when the key stands for another body.
    """
    if not 1 <= len(submission.key) <= MAX_KEY_LENGTH:
        raise Invalid("This form has lost its key; check it and send it again.")
    row = IdempotencyKey(
        user_id=submission.user_id,
        call=submission.call,
        key=submission.key,
        digest=submission.digest,
        created_at=dates.utc_now(),
    )
    try:
        with db.session.begin_nested():
            db.session.add(row)
    except IntegrityError:
        return kind(**_earlier_result(submission))
    result = work()
    row.result = asdict(result)
    return result


def _earlier_result(submission: Submission) -> dict[str, Any]:
    found = db.session.execute(
        select(IdempotencyKey).filter_by(
            user_id=submission.user_id, call=submission.call, key=submission.key
        )
    ).scalar_one()
    if found.digest != submission.digest or found.result is None:
        raise KeyReused
    return found.result


def delete_expired_keys() -> None:
    """Delete the keys that no form can still hold."""
    db.session.execute(
        delete(IdempotencyKey).where(IdempotencyKey.created_at < dates.utc_now() - KEY_LIFETIME)
    )


def form_body(
    items: Iterable[tuple[str, str]], *, without: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return a form's fields as a body, leaving out what isn't content."""
    return tuple((name, value) for name, value in items if name not in without)
