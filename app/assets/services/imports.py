"""The import of moves."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from app import dates, names
from app.assets.models import Asset, AssetMove
from app.assets.rules import empty_if_dash, is_move
from app.assets.services.moves import PastMove, lock_assets_by_key, record_moves
from app.audit.services import record_import
from app.lists import ListChange, rows_with
from app.tables.csv_files import Cells, FileLines


@dataclass(frozen=True)
class MoveLine:
    """A move in a file, and its row."""

    row: Cells
    day: date
    asset_id: str
    start: str
    end: str

    @property
    def identity(self) -> tuple[date, str, str, str]:
        """Return its day, and the keys of its asset and places."""
        places = names.key(empty_if_dash(self.start)), names.key(empty_if_dash(self.end))
        return self.day, names.key(self.asset_id), *places


def new_moves(file: FileLines[MoveLine]) -> Sequence[MoveLine]:
    """Return the moves of a file that aren't in the history; refuse those of unknown assets."""
    keys, row = {names.key(line.asset_id) for line in file.lines}, AssetMove
    columns = select(row.at, row.asset_key, row.start_key, row.end_key)
    moves = rows_with(columns, row.asset_key, keys)
    stored = Counter((dates.london_day(at), *texts) for at, *texts in moves)
    assets = {key for (key,) in rows_with(select(Asset.asset_key), Asset.asset_key, keys)}
    new = []
    for line in (each for each in file.lines if each.row.is_valid):
        if stored[line.identity]:
            stored[line.identity] -= 1
        elif line.identity[1] in assets:
            if is_move(empty_if_dash(line.start), empty_if_dash(line.end)):
                new.append(line)
        else:
            line.row.refuse("id", f'There is no asset "{line.asset_id}"')
    return new


def import_moves(file: FileLines[MoveLine], *, by: int | None) -> ListChange:
    """Add the moves of a file that aren't in the history, as `record_moves` does."""
    lock_assets_by_key({names.key(line.asset_id) for line in file.lines})
    new = new_moves(file)
    file.rows.check()
    if new and new[0].day >= new[-1].day:
        # An export has the newest first, also of a day.
        new = new[::-1]
    moves = [PastMove(m.asset_id, m.end, m.start, dates.start_of_day(m.day)) for m in new]
    added = record_moves(moves, by=by).added
    record_import("asset moves", ListChange(added), by=by)
    return ListChange(added, unchanged=len(file.lines) - added)
