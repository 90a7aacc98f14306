"""The entries of the audit trail, and the chain of hashes that binds them; pure.

See docs/domain.md, Audit trail.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from app.errors import Invalid
from app.identity import Channel

GENESIS = "0" * 64
"""The previous hash of the first entry."""

FAILURE_INTERVAL = timedelta(minutes=1)
"""How often an account's failed sign-ins get an entry with their number."""

NO_ACCOUNT = ""
"""The account of failed sign-ins under a name without an account.

The name itself isn't kept: it may be a password typed into the wrong field.
"""

MAX_SUBJECT_LENGTH = 200


class Event(StrEnum):
    """The kinds of entries."""

    SIGN_IN = "sign-in"
    SIGN_IN_FAILURE = "sign-in-failure"
    SIGN_OUT = "sign-out"
    ACCOUNT_CREATION = "account-creation"
    ACCOUNT_DISABLING = "account-disabling"
    ACCOUNT_ENABLING = "account-enabling"
    PASSWORD_CHANGE = "password-change"  # noqa: S105 (the name of an event)
    ACCESS_GRANT = "access-grant"
    ACCESS_REVOCATION = "access-revocation"
    TOKEN_REVOCATION = "token-revocation"  # noqa: S105
    TOKEN_REUSE = "token-reuse"  # noqa: S105
    SETTING = "setting"
    IMPORT = "import"
    EXPORT = "export"
    UNDO = "undo"
    DISCARD = "discard"
    RESTORE = "restore"
    PRUNE = "prune"


@dataclass(frozen=True)
class ChainedEntry:
    """An entry with its place in the chain, as it is stored; entries are numbered from 1.

    `subject` is the account, list or operation. `detail` has whole numbers, texts and lists of
    texts.
    """

    id: int
    at: datetime
    event: str
    channel: str
    user_id: int | None
    subject: str
    detail: Mapping[str, Any]
    previous_hash: str
    hash: str


@dataclass(frozen=True)
class ChainMark:
    """The number and hash of an entry, noted to prove later how far the trail went."""

    id: int
    hash: str

    def __str__(self) -> str:
        return f"{self.id}:{self.hash}"


START = ChainMark(0, GENESIS)
"""The mark of an empty trail."""


def parse_mark(text: str) -> ChainMark:
    """Parse a mark printed by `flask audit verify`; raises Invalid."""
    number, _, digest = text.strip().partition(":")
    is_hash = len(digest) == len(GENESIS) and set(digest) <= set("0123456789abcdef")
    if not (number.isascii() and number.isdecimal() and is_hash):
        raise Invalid("A mark is a number, a colon and 64 hexadecimal digits, as verify prints it.")
    return ChainMark(int(number), digest)


def chain(
    last: ChainMark,
    at: datetime,
    event: Event,
    channel: Channel,
    user_id: int | None,
    subject: str,
    detail: Mapping[str, Any],
) -> ChainedEntry:
    """Return the entry that follows the last one."""
    cut = subject[:MAX_SUBJECT_LENGTH]
    entry = ChainedEntry(last.id + 1, at, event, channel, user_id, cut, detail, last.hash, hash="")
    return replace(entry, hash=_hash(entry))


def chain_problems(entries: Iterable[ChainedEntry], mark: ChainMark | None) -> Iterator[str]:
    """Yield the problems of a whole trail, given in order.

    With a mark, the trail must hold the entry with its number and hash.
    """
    last = START
    is_marked = mark is None or mark == START
    for entry in entries:
        if entry.id != last.id + 1:
            yield f"Entries {last.id + 1} to {entry.id - 1} are missing"
        elif entry.previous_hash != last.hash:
            yield f"Entry {entry.id} doesn't follow the one before it"
        if entry.hash != _hash(entry):
            yield f"Entry {entry.id} was changed"
        last = ChainMark(entry.id, entry.hash)
        is_marked = is_marked or last == mark
    if not is_marked:
        yield f"Entry {mark.id if mark else 0} isn't the one that was noted, or is missing"


def _hash(entry: ChainedEntry) -> str:
    time = entry.at.astimezone(UTC).isoformat(timespec="microseconds")
    by = (entry.event, entry.channel, entry.user_id)
    content = [entry.previous_hash, entry.id, time, *by, entry.subject, entry.detail]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def line_of(entry: Any) -> str:
    """Return an entry or event, which is a dataclass, as a line of JSON."""
    values = vars(entry) | {"at": entry.at.isoformat(timespec="microseconds")}
    return json.dumps(values, ensure_ascii=False) + "\n"


def name_of(user_id: int | None, names: Mapping[int, str]) -> str:
    """Return the name of an entry's user, '-' for the terminal or a stranger."""
    return "-" if user_id is None else names.get(user_id, f"user {user_id}")
