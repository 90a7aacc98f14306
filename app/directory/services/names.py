"""Teams, suppliers and services: add, rename, import and remove."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app import names
from app.audit.services import record_import
from app.db import db
from app.directory import queries
from app.directory.models import ENTRY_MODELS, NamedEntry, Service
from app.directory.rules import DirectoryList, NameState
from app.directory.services import keys
from app.divisions import Division
from app.errors import Conflict, ErrorCode, NotFound, existing
from app.events.rules import EventKind, counts
from app.events.services import record_event
from app.lists import ListChange
from app.versions import increment_version, lock_version


@dataclass(frozen=True)
class EntryChange:
    """A team, supplier or service that was added, or renamed from `before`."""

    id: int
    name: str
    description: str = ""
    before: str = ""


class NameTaken(Conflict):
    """Another entry has the name already."""

    code = ErrorCode.NAME_TAKEN

    def __init__(self, name: str, field: str = "name") -> None:
        super().__init__(f'Name already exists: "{name}"', field)


def add(list_name: DirectoryList, new: NameState) -> EntryChange:
    """Add a team, supplier or service; raises NameTaken."""
    namesake = _lock_entries(list_name).get(names.key(new.name))
    if namesake is not None:
        raise NameTaken(namesake.name)
    row = _insert(list_name, new)
    db.session.flush()
    _record(list_name, "added", row, after={"name": row.name})
    increment_version(list_name)
    return EntryChange(row.id, row.name, new.description)


def rename(list_name: DirectoryList, old_name: str, new_name: str) -> EntryChange:
    """Rename a team, supplier or service; keys that a team has get its new name as holder.

    Histories keep the old name. Raises NotFound and NameTaken.
    """
    # Locks are taken in the order keys, then names, wherever both lists are locked.
    locked_keys = keys.lock_keys() if list_name is DirectoryList.TEAMS else {}
    entries = _lock_entries(list_name)
    row = entries.get(names.key(old_name))
    if row is None:
        raise NotFound(f'There is no {list_name.noun} "{old_name}".', "old_name")
    namesake = entries.get(names.key(new_name))
    if namesake is not None and namesake is not row:
        raise NameTaken(namesake.name, "new_name")
    before = row.name
    if before != new_name:
        row.name, row.name_key = new_name, names.key(new_name)
        db.session.flush()
        renamed_holders = keys.rename_holder(locked_keys.values(), before, new_name)
        after = {"name": new_name} | ({"keys": renamed_holders} if renamed_holders else {})
        _record(list_name, "renamed", row, before={"name": before}, after=after)
        increment_version(list_name)
    description = row.description if isinstance(row, Service) else ""
    return EntryChange(row.id, new_name, description, before)


def set_names(
    list_name: DirectoryList,
    imported: Sequence[NameState],
    *,
    clears: bool = False,
    by: int | None = None,
) -> ListChange:
    """Set the imported entries of a list; names keep their spelling and other entries stay.

    Lead days that an entry lacks stay as they are unless it `clears` them.
    """
    entries = _lock_entries(list_name)
    added = changed = 0
    for new in imported:
        row = entries.get(names.key(new.name))
        if row is None:
            _insert(list_name, new)
            added += 1
        elif _set_details(row, new, clears=clears):
            changed += 1
    db.session.flush()
    change = ListChange(added, changed, len(imported) - added - changed)
    if change:
        kind = EventKind(f"{list_name}.imported")
        record_event(kind, "list", list_name, division=Division.GPM, by=by, after=counts(change))
        increment_version(list_name)
    record_import(list_name, change, by=by)
    return change


def remove(list_name: DirectoryList, name: str, *, by: int | None = None) -> str:
    """Remove an entry of a list and return its name, which records keep. Raises NotFound."""
    row = _lock_entries(list_name).get(names.key(name))
    row = existing(row, f'There is no {list_name.noun} "{name}".')
    db.session.delete(row)
    db.session.flush()
    _record(list_name, "removed", row, before={"name": row.name}, by=by)
    increment_version(list_name)
    return row.name


def _record(list_name: DirectoryList, what: str, row: NamedEntry, **values: Any) -> None:
    kind = EventKind(f"{list_name.noun}.{what}")
    record_event(kind, list_name.noun, row.id, division=Division.GPM, **values)


def _lock_entries(list_name: DirectoryList) -> dict[str, NamedEntry]:
    # Every change of a list locks its version first, so its rows need no locks of their own.
    lock_version(list_name)
    return {row.name_key: row for row in queries.entries(list_name)}


def _insert(list_name: DirectoryList, new: NameState) -> NamedEntry:
    row = ENTRY_MODELS[list_name](name=new.name, name_key=names.key(new.name))
    _set_details(row, new)
    db.session.add(row)
    return row


def _set_details(row: NamedEntry, new: NameState, *, clears: bool = False) -> bool:
    """Set what a service or supplier has besides its name; return whether it changed."""
    name = "description" if isinstance(row, Service) else "lead_days"
    value = getattr(new, name)
    is_kept = value is None and not clears
    is_new = hasattr(row, name) and not is_kept and value != getattr(row, name)
    if is_new:
        setattr(row, name, value)
    return is_new
