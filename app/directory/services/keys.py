"""Keys, and the history of who held them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import update

from app import dates, names
from app.db import db
from app.directory import queries
from app.directory.models import Key, KeyChange
from app.directory.rules import KeyState, Kind, ListChange, is_same, updated_key
from app.errors import Invalid, NotFound
from app.versions import check_version, increment_version, lock_version

HANDOVERS = "keys-history"
"""The data version of the history of all keys."""


@dataclass(frozen=True)
class ListedKey:
    """A key of a full list; with an `id` it is that one, whatever it is called now."""

    state: KeyState
    id: int | None = None


@dataclass(frozen=True)
class PastHandover:
    """A handover as it is told later; without a moment it happens now.

    Without `holder_before` the key's history says who held it until then.
    """

    label: str
    holder: str
    holder_before: str | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class Recorded:
    """How many handovers were added to the history."""

    added: int


def set_keys(wanted: Sequence[KeyState], *, by: int | None) -> ListChange:
    """Set the keys of a list and leave all others alone (an import)."""
    present = _locked_keys()
    change = _write(wanted, present, by=by, takes_spelling=False)
    _note(change)
    return change


def replace_keys(
    wanted: Sequence[ListedKey], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Make the list hold exactly these keys (design §4).

    A key that is named by its id can get another code or name; its history follows. `versions`
    are the list's data versions that the caller has seen, None for an empty list. Raises
    PreconditionRequired, PreconditionFailed, and Invalid for a key that stands there twice.
    """
    version = lock_version(Kind.KEYS)
    present = {key.label_key: key for key in queries.all_keys()}
    check_version(versions, version, is_empty=not present)
    ids = {key.id: key for key in present.values()}
    known = [ids.get(key.id or 0) or present.get(names.key(key.state.label)) for key in wanted]
    _check_named_once(wanted, known)
    gone = [key for key in present.values() if key not in known]
    for key in gone:
        _remove(key, by)
    _relabel(wanted, known)
    now = {key.label_key: key for key in known if key is not None}
    states = [key.state for key in wanted]
    written = _write(states, now, by=by, takes_spelling=True)
    change = ListChange(written.added, written.changed, written.unchanged, len(gone))
    _note(change)
    return change


def remove_key(label: str, *, by: int | None) -> str:
    """Take a key off the list; return what it was called. Its history stays.

    Raises NotFound.
    """
    key = _locked_keys().get(names.key(label))
    if key is None:
        raise NotFound(f'There is no key "{label}".')
    _remove(key, by)
    _note(ListChange(removed=1))
    return key.label


def rename_holder(before: str, after: str) -> None:
    """Let the keys that a team holds say its new name; they haven't changed hands."""
    held = [key for key in queries.all_keys() if is_same(key.holder, before)]
    for key in held:
        key.holder = after
    if held:
        db.session.flush()
        increment_version(Kind.KEYS)


def record_handovers(told: Sequence[PastHandover], *, by: int) -> Recorded:
    """Add handovers to the history; who holds the keys now stays as it is.

    Raises Invalid that names the first key there isn't.
    """
    now = dates.utc_now()
    for place, handover in enumerate(told):
        key = queries.key_labelled(handover.label)
        if key is None:
            raise Invalid(f'There is no key "{handover.label}".', f"{place}.key")
        at = handover.at or now
        before = handover.holder_before
        if before is None:
            before = queries.holder_at(key.label_key, at)
        _append(key, before, handover.holder, at, by)
        db.session.flush()
    if told:
        increment_version(HANDOVERS)
    return Recorded(len(told))


def _locked_keys() -> dict[str, Key]:
    """Return the keys by label; nobody else can change any until the transaction ends."""
    lock_version(Kind.KEYS)
    return {key.label_key: key for key in queries.all_keys()}


def _check_named_once(wanted: Sequence[ListedKey], known: Sequence[Key | None]) -> None:
    seen: set[object] = set()
    for place, (listed, key) in enumerate(zip(wanted, known, strict=True)):
        marks = {names.key(listed.state.label), key.id if key else ("new", place)}
        if seen & marks:
            field = "code" if listed.state.code else "name"
            raise Invalid(f'"{listed.state.label}" stands in the list twice', f"{place}.{field}")
        seen |= marks


def _relabel(wanted: Sequence[ListedKey], known: Sequence[Key | None]) -> None:
    """Give keys that are called otherwise now their label's key, and their history with them."""
    renamed = [
        (key, key.label_key, names.key(listed.state.label))
        for listed, key in zip(wanted, known, strict=True)
        if key is not None and key.label_key != names.key(listed.state.label)
    ]
    # By way of what no label's key can be, so that two keys can swap theirs.
    for key, before, _ in renamed:
        _move(key, before, f" {key.id}")
    for key, _, after in renamed:
        _move(key, key.label_key, after)


def _move(key: Key, before: str, after: str) -> None:
    db.session.execute(update(KeyChange).filter_by(label_key=before).values(label_key=after))
    key.label_key = after
    db.session.flush()


def _write(
    wanted: Sequence[KeyState], present: dict[str, Key], *, by: int | None, takes_spelling: bool
) -> ListChange:
    added = changed = 0
    for new in wanted:
        label_key = names.key(new.label)
        key = present.get(label_key)
        if key is None:
            key = Key(label_key=label_key, holder="")
            db.session.add(key)
            added += 1
        else:
            new = new if takes_spelling else updated_key(key.state, new)
            if key.state == new:
                continue
            changed += 1
        holder_before = key.holder
        key.code, key.name, key.holder, key.notes = new.code, new.name, new.holder, new.notes
        _record(key, holder_before, by)
    db.session.flush()
    return ListChange(added, changed, len(wanted) - added - changed)


def _remove(key: Key, by: int | None) -> None:
    holder_before, key.holder = key.holder, ""
    _record(key, holder_before, by)
    db.session.delete(key)
    db.session.flush()


def _record(key: Key, holder_before: str, by: int | None) -> None:
    if not is_same(holder_before, key.holder):
        _append(key, holder_before, key.holder, dates.utc_now(), by)


def _append(key: Key, holder_before: str, holder: str, at: datetime, by: int | None) -> None:
    db.session.add(
        KeyChange(
            label=key.label,
            label_key=key.label_key,
            holder_before=holder_before,
            holder=holder,
            at=at,
            user_id=by,
        )
    )


def _note(change: ListChange) -> None:
    if change.added or change.changed or change.removed:
        increment_version(Kind.KEYS)
        increment_version(HANDOVERS)
