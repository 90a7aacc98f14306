"""Keys and the history of their handovers."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlalchemy import update

from app import dates, names
from app.audit.services import record_import
from app.db import db
from app.directory import queries
from app.directory.models import Key, KeyChange
from app.directory.rules import DirectoryList, KeyState, is_same_name, merge_imported
from app.divisions import Division
from app.errors import Conflict, EditConflict, Invalid, existing
from app.events.rules import EventKind, counts
from app.events.services import record_event
from app.lists import Added, ListChange, check_unique
from app.versions import check_version, increment_version, lock_version, version_of

HANDOVERS = "keys-history"
"""The data version of the history of all keys."""

_record = partial(record_event, division=Division.GPM)


@dataclass(frozen=True)
class ListedKey:
    """An entry of a whole list of keys; with an `id` it is that key, whatever its label now."""

    state: KeyState
    id: int | None = None


@dataclass(frozen=True)
class PastHandover:
    """A past handover: now without `at`, from the holder at that time without `holder_before`."""

    label: str
    holder: str
    holder_before: str | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class KeyHandover:
    """A key that has changed hands; '' is nobody."""

    id: int
    label: str
    holder: str
    holder_before: str


def set_keys(imported: Sequence[KeyState], *, by: int | None) -> ListChange:
    """Set the imported keys; codes and names keep their spelling and other keys stay."""
    change = _write(imported, lock_keys(), by=by, keeps_spelling=True)
    return _finish(EventKind.KEYS_IMPORTED, change, by)


def replace_keys(
    new: Sequence[ListedKey], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the whole list of keys by another one.

    A key that is identified by its id can get another code or name; its history follows.
    `versions` are the versions of the list that the caller has seen, None without If-Match.
    Raises PreconditionRequired, PreconditionFailed, and Invalid for a key that is listed twice.
    """
    existing = lock_keys()
    check_version(versions, version_of(DirectoryList.KEYS), is_empty=not existing)
    by_id = {key.id: key for key in existing.values()}
    matches = [
        by_id.get(listed.id or 0) or existing.get(names.key(listed.state.label)) for listed in new
    ]
    _check_unique(new, matches)
    removed = [key for key in existing.values() if key not in matches]
    for key in removed:
        _remove(key, by)
    _relabel(new, matches)
    remaining = {key.label_key: key for key in matches if key is not None}
    written = _write([listed.state for listed in new], remaining, by=by, keeps_spelling=False)
    return _finish(EventKind.KEYS_REPLACED, replace(written, removed=len(removed)), by)


def remove_key(label: str, *, by: int | None) -> str:
    """Remove a key from the list and return its label; its history stays. Raises NotFound."""
    key = existing(lock_keys().get(names.key(label)), f'There is no key "{label}".')
    _remove(key, by)
    _record(EventKind.KEY_REMOVED, "key", key.id, by=by)
    _increment_versions()
    return key.label


def rename_holder(locked_keys: Iterable[Key], before: str, after: str) -> int:
    """Change the name of a holder on locked keys and return their number; this is no handover."""
    renamed = [key for key in locked_keys if is_same_name(key.holder, before)]
    for key in renamed:
        key.holder = after
    if renamed:
        db.session.flush()
        increment_version(DirectoryList.KEYS)
    return len(renamed)


def record_handovers(handovers: Sequence[PastHandover], *, by: int) -> Added:
    """Add handovers to the history; the current holders stay. Raises Invalid for unknown keys."""
    now = dates.utc_now()
    for index, handover in enumerate(handovers):
        key = queries.key_labelled(handover.label)
        if key is None:
            raise Invalid(f'There is no key "{handover.label}".', f"{index}.key")
        at, before = handover.at or now, handover.holder_before
        if before is None:
            before = queries.holder_at(key.label_key, at)
        _add_handover(key, before, handover.holder, at, by)
        db.session.flush()
    if handovers:
        after = {"handovers": len(handovers)}
        _record(EventKind.HANDOVERS_RECORDED, "list", DirectoryList.KEYS, by=by, after=after)
        increment_version(HANDOVERS)
    return Added(len(handovers))


def hand_over(
    key_id: int, holder: str, *, holder_before: str, by: int | None, at: datetime | None = None
) -> KeyHandover:
    """Give a key to another holder, now or `at` a time; '' is nobody, after a return.

    `holder_before` is the holder known to the caller. Raises NotFound, and Conflict when somebody
    else has it, or when the new holder has it already.
    """
    lock_version(DirectoryList.KEYS)
    key = queries.key(key_id)
    if is_same_name(key.holder, holder):
        raise Conflict(f"{_describe_holder(key)} There is nothing left to do.")
    if not is_same_name(key.holder, holder_before):
        message = f"{_describe_holder(key)} Nothing was changed: confirm again to do it."
        raise EditConflict("key", message)
    before, key.holder = key.holder, holder
    _record_handover(key, before, by, at)
    db.session.flush()
    # Holders can be people, so neither is named.
    had, has = {"has_holder": bool(before)}, {"has_holder": bool(holder)}
    _record(EventKind.KEY_HANDED_OVER, "key", key.id, by=by, before=had, after=has)
    _increment_versions()
    return KeyHandover(key.id, key.label, key.holder, before)


def lock_keys() -> dict[str, Key]:
    """Lock the list of keys until the transaction ends and return the keys by label.

    Every change of the list locks its version first, so its rows need no locks of their own.
    """
    lock_version(DirectoryList.KEYS)
    return {key.label_key: key for key in queries.all_keys()}


def _check_unique(new: Sequence[ListedKey], matches: Sequence[Key | None]) -> None:
    def field(index: int) -> str:
        return "code" if new[index].state.code else "name"

    labels = [listed.state.label for listed in new]
    ids = [str(key.id) if key else "" for key in matches]
    for each in (map(names.key, labels), ids):
        check_unique(zip(each, labels, strict=True), field)


def _relabel(new: Sequence[ListedKey], matches: Sequence[Key | None]) -> None:
    renamed = [
        (key, key.label_key, names.key(listed.state.label))
        for listed, key in zip(new, matches, strict=True)
        if key is not None and key.label_key != names.key(listed.state.label)
    ]
    # Two keys may swap labels, so each first gets a key that no label can have.
    for key, before, _ in renamed:
        _set_label_key(key, before, f" {key.id}")
    for key, _, after in renamed:
        _set_label_key(key, key.label_key, after)


def _set_label_key(key: Key, before: str, after: str) -> None:
    db.session.execute(update(KeyChange).filter_by(label_key=before).values(label_key=after))
    key.label_key = after
    db.session.flush()


def _write(
    states: Sequence[KeyState], existing: dict[str, Key], *, by: int | None, keeps_spelling: bool
) -> ListChange:
    added = changed = 0
    for state in states:
        new, label_key = state, names.key(state.label)
        key = existing.get(label_key)
        if key is None:
            key = Key(label_key=label_key, holder="")
            db.session.add(key)
            added += 1
        else:
            new = merge_imported(key.state, state) if keeps_spelling else state
            if key.state == new:
                continue
            changed += 1
        holder_before = key.holder
        key.code, key.name, key.holder, key.notes = new.code, new.name, new.holder, new.notes
        _record_handover(key, holder_before, by)
    db.session.flush()
    return ListChange(added, changed, len(states) - added - changed)


def _remove(key: Key, by: int | None) -> None:
    holder_before, key.holder = key.holder, ""
    _record_handover(key, holder_before, by)
    db.session.delete(key)
    db.session.flush()


def _describe_holder(key: Key) -> str:
    if not key.holder:
        return f"Nobody has {key.label} now."
    since = key.holder_since
    day = f" since {dates.format_day(dates.london_day(since))}" if since else ""
    return f"{key.label} is with {key.holder}{day}."


def _record_handover(
    key: Key, holder_before: str, by: int | None, at: datetime | None = None
) -> None:
    if not is_same_name(holder_before, key.holder):
        at = at or dates.utc_now()
        key.holder_since = at if key.holder else None
        _add_handover(key, holder_before, key.holder, at, by)


def _add_handover(key: Key, holder_before: str, holder: str, at: datetime, by: int | None) -> None:
    change = KeyChange(label=key.label, label_key=key.label_key, at=at, user_id=by)
    change.holder_before, change.holder = holder_before, holder
    db.session.add(change)


def _finish(kind: EventKind, change: ListChange, by: int | None) -> ListChange:
    if change:
        _record(kind, "list", DirectoryList.KEYS, by=by, after=counts(change))
        _increment_versions()
    record_import(DirectoryList.KEYS, change, by=by)
    return change


def _increment_versions() -> None:
    increment_version(DirectoryList.KEYS)
    increment_version(HANDOVERS)
