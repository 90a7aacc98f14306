"""The register and its history as CSV files, with the names of JSON as columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app import dates, names
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetRow, field_values
from app.assets.rules.assets import AssetUpdate
from app.assets.rules.fields import ASSET_FIELDS, ID, ITEM
from app.tables.cells import cell_reader, cell_writer
from app.tables.csv_files import Cells, Table, escape

ASSET_COLUMNS = tuple(field.json for field in ASSET_FIELDS.values())
MOVE_COLUMNS = ("date", "id", "item", "startPosition", "endPosition", "user")

_CELL_FIELDS = {
    **ASSET_FIELDS,
    "purchase_price": replace(ASSET_FIELDS["purchase_price"], what="Price"),
}
_READERS = {name: cell_reader(field) for name, field in _CELL_FIELDS.items()}
_WRITERS = tuple(cell_writer(field) for field in _CELL_FIELDS.values())
_MISSING = object()


def read_assets(file: Path) -> list[AssetUpdate]:
    """Return the assets of a file, without values for the columns that it lacks.

    Raises FileErrors that names every row and column that is wrong.
    """
    optional = tuple(column for column in ASSET_COLUMNS if column != ITEM.json)
    table = Table(file, (ITEM.json,), optional)
    lines: dict[str, int] = {}
    updates = [_update(cells, lines) for cells in table]
    table.check()
    return updates


def asset_rows(assets: Iterable[AssetRow]) -> Iterator[Sequence[str]]:
    """Return assets as rows of a file."""
    for asset in assets:
        values = zip(_WRITERS, field_values(asset), strict=True)
        yield [write(value) for write, value in values]


def move_rows(moves: Iterable[Move]) -> Iterator[Sequence[str]]:
    """Return moves as rows of a file."""
    for move in moves:
        yield (
            dates.london_day(move.at).isoformat(),
            escape(move.asset_id),
            escape(move.item),
            escape(move.start_position),
            escape(move.end_position),
            escape(move.who),
        )


def _update(cells: Cells, lines: dict[str, int]) -> AssetUpdate:
    """Return the update of one row; `lines` are the rows of the ids that were read before."""
    asset_id = cells.read(ID.json, _READERS["id"], "")
    key = names.key(asset_id)
    if key and key in lines:
        cells.refuse(ID.json, f'"{asset_id}" is already in row {lines[key]}')
    lines.setdefault(key, cells.line)
    values: dict[str, Any] = {
        name: cells.read(field.json, _READERS[name], _MISSING)
        for name, field in ASSET_FIELDS.items()
        if name != ID.name
    }
    given = {name: value for name, value in values.items() if value is not _MISSING}
    return AssetUpdate(asset_id, given)
