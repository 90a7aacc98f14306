"""Import what is due from a file."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.audit.services import record_import
from app.errors import QuartermasterError
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.plates import plate_key
from app.lists import ListChange
from app.tables.csv_files import FileErrors
from app.upkeep.queries import due as queries
from app.upkeep.queries.due import DueRow
from app.upkeep.rules.due_kinds import KINDS, in_sentence
from app.upkeep.rules.kinds import DueKind
from app.upkeep.services.due import DueValues, add_item, edit_item
from app.upkeep.services.readings import lock_upkeep


@dataclass(frozen=True)
class DueLine:
    """An item of a file, and the row in which it stands, such as 'due.csv: row 3'."""

    place: str
    reg: str
    kind: DueKind
    due_on: date | None
    due_miles: int | None

    @property
    def reg_key(self) -> str:
        """Return the key of its registration."""
        return plate_key(self.reg)


def import_due(lines: Sequence[DueLine], *, by: int | None) -> ListChange:
    """Add or change items by vehicle and kind, and leave all others alone.

    A row changes the vehicle's only open item of its kind, and one that is just like an open item
    changes nothing. Raises FileErrors with every row that can't be imported.
    """
    lock_upkeep([line.reg_key for line in lines])
    errors = [
        f"{line.place}, reg: There is no vehicle {line.reg}."
        for line in lines
        if stored_plate(line.reg_key) is None
    ]
    pairs = _paired(lines)
    added = changed = 0
    for line, row in pairs:
        try:
            if isinstance(row, str):
                errors.append(f"{line.place}, kind: {row}")
            elif row is None:
                added += 1
                if not errors:
                    values = DueValues([line.reg], line.kind, "", line.due_on, line.due_miles)
                    add_item(values, by=by)
            elif _due(row) != (line.due_on, line.due_miles):
                changed += 1
                values = DueValues(
                    [line.reg], line.kind, row.terms.label, line.due_on, line.due_miles
                )
                if not errors:
                    edit_item(row.id, values, revision=row.revision, by=by)
        except QuartermasterError as error:
            errors.append(f"{line.place}, {error.field or 'kind'}: {error.message}")
    if errors:
        raise FileErrors(errors, "Nothing was imported.")
    change = ListChange(added, changed, len(lines) - added - changed)
    record_import("due", change, by=by)
    return change


def _paired(lines: Sequence[DueLine]) -> Sequence[tuple[DueLine, DueRow | str | None]]:
    """Return each line with the item that it is about, None for a new one, or what is wrong."""
    open_rows: dict[tuple[str, DueKind], list[DueRow]] = defaultdict(list)
    for row in queries.items_of({line.reg_key for line in lines}):
        for key in row.vehicles:
            open_rows[key, row.terms.kind].append(row)
    pairs: dict[int, DueRow | str | None] = {}
    taken: set[tuple[str, DueKind]] = set()
    for index, line in enumerate(lines):
        rows = open_rows[line.reg_key, line.kind]
        same = next((row for row in rows if _due(row) == (line.due_on, line.due_miles)), None)
        if same:
            rows.remove(same)
            pairs[index] = same
            taken.add((line.reg_key, line.kind))
    for index, line in enumerate(lines):
        if index not in pairs:
            pairs[index] = _other(line, open_rows, taken)
            taken.add((line.reg_key, line.kind))
    return [(line, pairs[index]) for index, line in enumerate(lines)]


def _other(
    line: DueLine,
    open_rows: Mapping[tuple[str, DueKind], Sequence[DueRow]],
    taken: set[tuple[str, DueKind]],
) -> DueRow | str | None:
    label = in_sentence(KINDS[line.kind].label)
    if (line.reg_key, line.kind) in taken:
        return f"{line.reg} has {label} in the file twice."
    rows = open_rows.get((line.reg_key, line.kind), ())
    if len(rows) > 1:
        return f"{line.reg} has several items of {label}. Change them on their pages."
    if rows and rows[0].is_shared:
        return f"{line.reg} shares its {label} with others. Change it on its page."
    return rows[0] if rows else None


def _due(row: DueRow) -> tuple[date | None, int | None]:
    return row.terms.due_on, row.terms.due_miles
