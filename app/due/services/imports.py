"""The import of due items."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, update

from app import dates, names
from app.audit.services import record_import
from app.db import db, lock_rows
from app.due.models import DueItem
from app.due.queries.due import DueRow, items_of
from app.due.rules.fields import DueKind, in_sentence
from app.due.rules.next_due import NextDue
from app.due.services.due import SUBJECT, described
from app.events.rules import EventKind
from app.events.services import ChangedSubject
from app.fleet.queries.vehicles import lock_records
from app.fleet.rules.vehicles import plate_key
from app.fleet.services.upkeep import record_changes, refuse_missing_vehicles
from app.lists import ListChange, batches
from app.tables.csv_files import Cells, FileLines


@dataclass(frozen=True)
class DueLine:
    """A due item in a file, and its row."""

    row: Cells
    reg: str
    kind: DueKind
    due: NextDue
    label: str

    @property
    def reg_key(self) -> str:
        """Return the key of its registration."""
        return plate_key(self.reg)

    @property
    def identity(self) -> tuple[str, DueKind, str]:
        """Return the values unique in a file: vehicle and kind, and of the kind other the name."""
        is_named = self.kind is DueKind.OTHER
        return self.reg_key, self.kind, names.key(self.label) if is_named else ""

    def is_like(self, row: DueRow) -> bool:
        """Return whether it changes nothing of an open item of its vehicle and kind."""
        terms = row.terms
        is_same = self.due == NextDue(terms.due_on, terms.due_miles)
        return is_same and self.label in ("", terms.label)


def import_due(file: FileLines[DueLine], *, by: int | None) -> ListChange:
    """Add or change items by vehicle and kind, and leave all others alone.

    A row changes the vehicle's only open item of its kind, of the kind other the one with its name;
    a row equal to an open item changes nothing. Raises FileErrors with all errors of all rows.
    """
    lock_records([line.reg_key for line in file.lines])
    plates, added, changed = plan_import(file)
    file.rows.check()
    _add(added, plates, by=by)
    _change(changed, by=by)
    change = ListChange(len(added), len(changed), len(file.lines) - len(added) - len(changed))
    record_import("due", change, by=by)
    return change


def plan_import(
    file: FileLines[DueLine],
) -> tuple[Mapping[str, str], Sequence[DueLine], Mapping[int, DueLine]]:
    """Return the lines that add an item, and that change one by its id; refuse unclear rows.

    The first of it are the registrations as the lists write them, by their keys.
    """
    plates = refuse_missing_vehicles(file.lines)
    lines = [line for line in file.lines if line.row.is_valid]
    open_rows: dict[tuple[str, DueKind], list[DueRow]] = defaultdict(list)
    for row in items_of({line.reg_key for line in lines}):
        for key in row.vehicles:
            open_rows[key, row.terms.kind].append(row)
    others: list[DueLine] = []
    taken: set[tuple[str, DueKind, str]] = set()
    for line in lines:
        rows = open_rows[line.reg_key, line.kind]
        same = next((row for row in rows if line.is_like(row)), None)
        if same:
            rows.remove(same)
            taken.add(line.identity)
        else:
            others.append(line)
    added: list[DueLine] = []
    changed: dict[int, DueLine] = {}
    for line in others:
        of_kind, name = open_rows[line.reg_key, line.kind], line.identity[-1]
        rows = [row for row in of_kind if name in ("", names.key(row.terms.label))]
        is_taken = line.identity in taken or (len(rows) == 1 and rows[0].id in changed)
        problem = _describe_problem(line, rows, is_taken=is_taken)
        taken.add(line.identity)
        if problem:
            line.row.refuse("kind", problem)
        elif rows:
            changed[rows[0].id] = line
        else:
            added.append(line)
    return plates, added, changed


def _describe_problem(line: DueLine, rows: Sequence[DueRow], *, is_taken: bool) -> str:
    label = in_sentence(line.label if line.identity[-1] else line.kind.label)
    if is_taken:
        return f"{line.reg} has {label} in the file twice."
    if len(rows) > 1:
        return f"{line.reg} has several items of {label}. Change them on their pages."
    if rows and rows[0].is_shared:
        return f"{line.reg} shares its {label} with others. Change it on its page."
    return ""


def _add(lines: Sequence[DueLine], plates: Mapping[str, str], *, by: int | None) -> None:
    values = [
        {
            "reg": plates[line.reg_key],
            "reg_key": line.reg_key,
            "kind": line.kind,
            "label": line.label or line.kind.label,
            "due_on": line.due.on,
            "due_miles": line.due.miles,
            "anchor_day": line.due.on and line.due.on.day,
            "opened_by": by,
            "opened_at": dates.utc_now(),
        }
        for line in lines
    ]
    if not values:
        return
    items = db.session.execute(insert(DueItem).returning(DueItem), values).scalars()
    opened = [ChangedSubject(item.id, after=described(item)) for item in items]
    record_changes(EventKind.DUE_OPENED, SUBJECT, opened, by=by)


def _change(lines: Mapping[int, DueLine], *, by: int | None) -> None:
    values: list[dict[str, Any]] = []
    changes: list[ChangedSubject] = []
    for ids in batches(sorted(lines)):
        for item in lock_rows(DueItem, DueItem.id.in_(ids)):
            line, before = lines[item.id], described(item)
            due, label = line.due, line.label or item.label
            moved_to = due.on and due.on.day
            values.append(
                {
                    "id": item.id,
                    "label": label,
                    "due_on": due.on,
                    "due_miles": due.miles,
                    "anchor_day": item.anchor_day if item.due_on == due.on else moved_to,
                    "revision": item.revision + 1,
                }
            )
            after = before | due.event_values | {"label": label}
            changes.append(ChangedSubject(item.id, before, after))
    if values:
        # One statement for all; the session's objects would need one each.
        db.session.execute(update(DueItem), values)
        db.session.expire_all()
        record_changes(EventKind.DUE_CHANGED, SUBJECT, changes, by=by)
