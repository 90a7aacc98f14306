"""The register and its history as CSV files, with the names of JSON as columns."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

from app import dates, names
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetRow
from app.assets.rules.assets import AssetUpdate
from app.assets.rules.fields import ASSET_FIELDS, ID, ITEM
from app.records.record import Column
from app.tables.cells import cell_reader
from app.tables.csv_files import Cells, Table

_CELL_FIELDS = {
    **ASSET_FIELDS,
    "purchase_price": replace(ASSET_FIELDS["purchase_price"], what="Price"),
}
_READERS = {name: cell_reader(field) for name, field in _CELL_FIELDS.items()}
_MISSING = object()

ASSET_FILE: Sequence[Column[AssetRow]] = [
    Column(field.json, itemgetter(place), field=field)
    for place, field in enumerate(ASSET_FIELDS.values())
]
"""The columns of the register; rows have the values of assets first, in this order."""

MOVE_FILE: Sequence[Column[Move]] = (
    Column("date", lambda move: dates.london_day(move.at)),
    Column("id", attrgetter("asset_id")),
    Column("item", attrgetter("item")),
    Column("startPosition", attrgetter("start_position")),
    Column("endPosition", attrgetter("end_position")),
    Column("user", attrgetter("who")),
)


def read_assets(file: Path) -> list[AssetUpdate]:
    """Return the assets of a file, without values for the columns that it lacks.

    Raises FileErrors that names every row and column that is wrong.
    """
    optional = [each.name for each in ASSET_FILE if each.name != ITEM.json]
    table = Table(file, (ITEM.json,), optional)
    updates = [_update(cells) for cells in table]
    table.check()
    return updates


def _update(cells: Cells) -> AssetUpdate:
    asset_id = cells.read(ID.json, _READERS["id"], "")
    cells.refuse_repeated(ID.json, asset_id, names.key(asset_id))
    values: dict[str, Any] = {
        name: cells.read(field.json, _READERS[name], _MISSING)
        for name, field in ASSET_FIELDS.items()
        if name != ID.name
    }
    given = {name: value for name, value in values.items() if value is not _MISSING}
    return AssetUpdate(asset_id, given)
