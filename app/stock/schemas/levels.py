"""Minimums and targets: their list, their file and their JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from sqlalchemy import text

from app import dates, names
from app.api import replies
from app.api.fields import json_field
from app.api.replies import Reply, reply_of
from app.api.schemas import Body, body_of
from app.directory.rules import DirectoryList
from app.divisions import Store
from app.fields import Field, fields_of
from app.records.filters import Conditions, OneOf, Search
from app.records.reading import read_all
from app.records.record import Column, Record, columns_of
from app.stock.models import LOW, Item
from app.stock.queries import levels
from app.stock.queries.stock_levels import LevelRow, level_rows, suggested_rows
from app.stock.rules import items
from app.stock.rules.levels import LevelState, Source
from app.stock.services.levels import LevelLine
from app.tables.columns import Prepared
from app.tables.csv_files import FileLines, Table, cell_reader
from app.versions import version_of

CLEARED = "-"
"""The cell that clears a value; an empty one leaves it as it is."""


_CONDITIONS: Mapping[str, Sequence[Any]] = {
    "low": [text(LOW)],
    "minimum": [Item.minimum.is_not(None)],
    "none": [Item.minimum.is_(None)],
}

LEVEL_LIST = Record[LevelRow](
    name="item",
    plural="levels",
    list_name="levels",
    model=Item,
    rows=level_rows,
    page_rows=suggested_rows,
    filters=[
        Search(column=Item.name_key, example="heart"),
        OneOf(
            name="show",
            label="Show",
            none="All items",
            choices={"low": "Low", "minimum": "With a minimum", "none": "Without a minimum"},
            conditions=_CONDITIONS.__getitem__,
        ),
    ],
    columns=[
        Column("item", lambda row: row.item.name, field=items.NAME, heading="Item"),
        *columns_of(LevelState, attrgetter("state")),
        Column("use", heading="Use", css_class="num"),
        Column("suggestion", heading="Suggested"),
        Column("acts", heading="Actions", css_class="acts", changes=True),
    ],
    listed=("item", "minimum", "target", "pack", "source", "use", "suggestion", "acts"),
    order=[Item.name_key],
    key=Item.name_key,
    per_page=100,
)

LEVEL_FILE = [column for column in LEVEL_LIST.columns if column.value]


MAX_SUGGESTIONS = 500
"""How many suggestions are accepted at once."""


def list_of(store: Store) -> Record[LevelRow]:
    """Return the list of the levels of a store."""
    state = levels.site_state(store)

    def scope() -> Conditions:
        is_here = Item.site_id == levels.site_ids([store])[store]
        return [is_here, Item.removed_at.is_(None)]

    # Its use changes with the day, and with every change of its stock.
    suppliers = version_of(DirectoryList.SUPPLIERS)
    version = (state.version, state.levels_version, suppliers, dates.today())
    name = f"{store.division}-{store.site}-{LEVEL_LIST.list_name}"
    return replace(LEVEL_LIST, list_name=name, scope=scope, version=lambda: version)


def suggestions_of(store: Store, filters: Mapping[str, str]) -> Sequence[LevelRow]:
    """Return the items that match filters and whose use suggests another minimum or target."""
    record = list_of(store)
    items = [row.item for row in read_all(record, record.parse(filters))]
    return [
        row
        for row in suggested_rows(items)
        if (found := row.suggestion)
        and row.state.source is not Source.NONE
        and (found.minimum, row.suggested_target) != (row.state.minimum, row.state.target)
    ]


def read_levels(source: Prepared) -> FileLines[LevelLine]:
    """Read a file of levels. Raises FileErrors for any other file."""
    fields = fields_of(LevelState).values()
    table = Table(source)
    readers = [(each.name, each.json, _reader(each)) for each in fields]
    read_name = cell_reader(items.NAME)
    lines = []
    for cells in table:
        item = cells.read("item", read_name, "")
        cells.refuse_repeated("item", item, names.key(item))
        read = ((name, cells.read(column, parse, _UNCHANGED)) for name, column, parse in readers)
        values = {name: value for name, value in read if value is not _UNCHANGED}
        lines.append(LevelLine(item, values, cells))
    return FileLines(table, lines)


_UNCHANGED = object()


def _reader(field: Field[Any]) -> Callable[[str], Any]:
    parse = cell_reader(field)

    def read(text: str) -> Any:
        if not text.strip():
            return _UNCHANGED
        return field.default if text.strip() == CLEARED else parse(text)

    return read


@body_of(LevelState)
class LevelBody(Body):
    """The minimum and target of an item, and where it is reordered."""

    item = json_field(replace(items.NAME, name="item"))

    def made(self, data: Mapping[str, Any]) -> LevelLine:
        """Return the line of a valid body."""
        return LevelLine(data["item"], self.values(data))


@reply_of(LevelState, at="state")
class LevelReply(Reply):
    """The minimum and target of an item, and where it is reordered."""

    item = replies.of(items.NAME, lambda row: row.item.name)
