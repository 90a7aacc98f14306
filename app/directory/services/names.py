"""Teams, suppliers and services: added, renamed, imported, removed."""

from collections.abc import Sequence
from dataclasses import dataclass

from app import names
from app.db import db
from app.directory import queries
from app.directory.models import NAMED, Named, Service
from app.directory.rules import Kind, ListChange, NameState
from app.directory.services import keys
from app.errors import Conflict, NotFound
from app.versions import increment_version, lock_version


@dataclass(frozen=True)
class Added:
    """An entry that was added."""

    id: int
    name: str
    description: str = ""


@dataclass(frozen=True)
class Renamed:
    """An entry that was called `before` and is called `name` now."""

    id: int
    before: str
    name: str
    description: str = ""


class NameExists(Conflict):
    """The name belongs to another entry already."""

    def __init__(self, name: str, field: str = "name") -> None:
        super().__init__(f'Name already exists: "{name}"', field)


def add(kind: Kind, new: NameState) -> Added:
    """Add a team, supplier or service.

    Raises NameExists.
    """
    lock_version(kind)
    namesake = queries.entry_named(kind, new.name)
    if namesake is not None:
        raise NameExists(namesake.name)
    row = _insert(kind, new)
    db.session.flush()
    increment_version(kind)
    return Added(row.id, row.name, new.description)


def rename(kind: Kind, old_name: str, new_name: str) -> Renamed:
    """Give a team or service another name; keys that a team holds follow it.

    History keeps the name it said. Raises NotFound and NameExists.
    """
    if kind is Kind.TEAMS:
        # The keys' list goes before the teams' wherever both are held.
        lock_version(Kind.KEYS)
    lock_version(kind)
    row = queries.entry_named(kind, old_name)
    if row is None:
        raise NotFound(f'There is no {kind.noun} "{old_name}".', "old_name")
    namesake = queries.entry_named(kind, new_name)
    if namesake is not None and namesake.id != row.id:
        raise NameExists(namesake.name, "new_name")
    before = row.name
    if before != new_name:
        row.name, row.name_key = new_name, names.key(new_name)
        db.session.flush()
        if kind is Kind.TEAMS:
            keys.rename_holder(before, new_name)
        increment_version(kind)
    return Renamed(row.id, before, new_name, row.description if isinstance(row, Service) else "")


def set_names(kind: Kind, wanted: Sequence[NameState]) -> ListChange:
    """Set the entries of a list and leave all others alone (an import); a spelling stays."""
    lock_version(kind)
    present = {row.name_key: row for row in queries.entries(kind)}
    added = changed = 0
    for new in wanted:
        row = present.get(names.key(new.name))
        if row is None:
            _insert(kind, new)
            added += 1
        elif isinstance(row, Service) and row.description != new.description:
            row.description = new.description
            changed += 1
    db.session.flush()
    if added or changed:
        increment_version(kind)
    return ListChange(added, changed, len(wanted) - added - changed)


def remove(kind: Kind, name: str) -> str:
    """Take a team, supplier or service off its list; return what it was called.

    What named it keeps its name. Raises NotFound.
    """
    lock_version(kind)
    row = queries.entry_named(kind, name)
    if row is None:
        raise NotFound(f'There is no {kind.noun} "{name}".')
    db.session.delete(row)
    db.session.flush()
    increment_version(kind)
    return row.name


def _insert(kind: Kind, new: NameState) -> Named:
    row = NAMED[kind](name=new.name, name_key=names.key(new.name))
    if isinstance(row, Service):
        row.description = new.description
    db.session.add(row)
    return row
