"""JSON and CSV of the register and of its moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any, ClassVar

from marshmallow import fields, missing, pre_load

from app import dates, names
from app.accounts import queries as accounts
from app.api import replies
from app.api.fields import JsonMoment, json_field, json_writer
from app.api.schemas import Body, body_of
from app.assets import rules
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves, register
from app.assets.queries.moves import COUNTED, Move, is_at, is_by
from app.assets.queries.register import AssetRow, field_values, has_text, sort_column
from app.assets.rules import ASSET_FIELDS, DEFAULT_ORDER, ID, VALUE, AssetState, AssetUpdate
from app.assets.services.imports import MoveLine
from app.assets.services.moves import PastMove
from app.day_counts import Days
from app.fields import Day, aliases_of
from app.records.filters import Matching, OnDays, Search
from app.records.record import Column, Query, Record
from app.sorting import SortKind, SortOrder
from app.tables.columns import Prepared
from app.tables.csv_files import Cells, FileLines, Table, cell_reader

_JSON_NAMES = tuple(field.json for field in ASSET_FIELDS.values())
_WRITERS = {field.json: write for field in ASSET_FIELDS.values() if (write := json_writer(field))}


@body_of(AssetState)
class AssetBody(Body):
    """An asset of a list; a missing field has its default."""

    item = json_field(replace(rules.ITEM, what="Item name"))
    purchase_date = json_field(
        replace(ASSET_FIELDS["purchase_date"], description="null or empty when unknown")
    )

    @pre_load
    def _read_empty_days(self, data: Any, **_: Any) -> Any:
        days = [field.json for field in ASSET_FIELDS.values() if isinstance(field, Day)]
        empty = [name for name in days if isinstance(data, dict) and data.get(name) == ""]
        return {**data, **dict.fromkeys(empty)} if empty else data


@replies.reply_of(AssetState)
class AssetReply(replies.Reply):
    """An asset."""


def asset_json(asset: Asset | AssetRow) -> dict[str, Any]:
    """Return an asset as JSON."""
    values = dict(zip(_JSON_NAMES, field_values(asset), strict=True))
    for name, write in _WRITERS.items():
        values[name] = write(values[name])
    return values


def _counted_days(query: Query) -> Days | None:
    """Return the days that count the moves of a query; other filters' matches aren't counted."""
    if query.parsed.keys() - {"days"}:
        return None
    return Days([COUNTED.name], *query.days)


MOVE_LIST = Record[Move](
    name="move",
    plural="moves",
    list_name=moves.LIST,
    model=AssetMove,
    read=moves.load_moves,
    stream=moves.stream_matching,
    filters=[
        Search(column=AssetMove.search_key, example="desk"),
        Matching(
            name="location",
            description="Where an asset came from or went to; – for nowhere",
            example="Room 1",
            conditions=is_at,
        ),
        Matching(
            name="who",
            description="The user name of who moved it; – for the terminal",
            example="k.lee",
            conditions=is_by,
        ),
        OnDays(column=AssetMove.at, is_moment=True),
    ],
    columns=[
        Column("date", heading="Date", by=[AssetMove.at], kind=SortKind.DAY, indexed=True),
        Column("asset", heading="Asset", by=[AssetMove.item]),
        Column("from", heading="From", by=[AssetMove.start_position]),
        Column("to", heading="To", by=[AssetMove.end_position]),
        Column("who", heading="Who", by=[accounts.username_of(AssetMove.user_id)]),
        Column("undo", heading="Undo", css_class="acts"),
    ],
    listed=["date", "asset", "from", "to", "who", "undo"],
    order=[AssetMove.at.desc(), AssetMove.id.desc()],
    default=SortOrder("date", descending=True),
    key=AssetMove.id,
    newest_first=True,
    call_by=AssetMove.at,
    days=_counted_days,
    is_capped=True,
)


def _text_filter(name: str, example: str) -> Matching:
    return Matching(
        name=name,
        description=f"The {name} of an asset; – for assets without one",
        example=example,
        conditions=partial(has_text, name),
    )


def _column(name: str, label: str, **options: Any) -> Column[AssetRow]:
    heading = " ".join(word[0].upper() + word[1:] for word in label.split())
    by = sort_column(rules.SORT_COLUMNS[name])
    keys = [by, *([] if name == ID.json else [Asset.item_key, Asset.id])]
    # Parts follow a row by its values, and an empty one has none.
    return Column(name, heading=heading, by=keys, indexed=not by.nullable, **options)


ASSET_LIST = Record[AssetRow](
    name="asset",
    plural="assets",
    list_name=register.LIST,
    model=Asset,
    stream=register.stream_register,
    filters=[
        Search(column=Asset.search_key, example="desk"),
        _text_filter("location", "Room 1"),
        _text_filter("category", "Furniture"),
        _text_filter("supplier", "Oak & Sons"),
        _text_filter("status", "In use"),
        _text_filter("item", "Desk"),
        _text_filter("make", "Oak & Sons"),
        _text_filter("model", "Tall"),
    ],
    # Rows have the values of the fields first, in this order.
    columns=[
        *(
            _column(field.json, field.label, value=itemgetter(place), field=field)
            for place, field in enumerate(ASSET_FIELDS.values())
        ),
        _column(VALUE, "Value", kind=SortKind.NUMBER, css_class="num"),
        Column("tick", heading="Tick", css_class="tick", changes=True),
        Column("actions", heading="Actions", css_class="acts", changes=True),
    ],
    listed=[
        "tick",
        *("item", "id", "location", "status", "category", "quantity", "purchase_price", VALUE),
        *("make", "model", "serial", "supplier", "purchase_date"),
        "actions",
    ],
    order=[Asset.item_key, Asset.id],
    default=DEFAULT_ORDER,
    key=Asset.asset_key,
)


def asset_query(arguments: Mapping[str, str]) -> Query:
    """Return the query of an address or a body; its search is cut at what is searched for."""
    query = ASSET_LIST.parse(arguments)
    values = dict(query.values)
    if "q" in values:
        values["q"] = values["q"][: names.MAX_SEARCH_LENGTH]
    return replace(query, values=values)


_CELL_FIELDS = {
    **ASSET_FIELDS,
    "purchase_price": replace(ASSET_FIELDS["purchase_price"], what="Price"),
}
_READERS = {name: cell_reader(field) for name, field in _CELL_FIELDS.items()}
_MISSING = object()

_ASSET_ID = replace(ID, required="ID is required", example="A/0042", description="The asset's")
_START = replace(
    rules.LOCATION,
    name="start",
    json="startPosition",
    label="Start position",
    what="Start position",
    example="Store",
    description="The asset's location if missing",
)
_END = replace(
    rules.LOCATION,
    name="end",
    json="endPosition",
    aliases=("location",),
    label="End position",
    what="End position",
    required="End position is required",
    description="",
)

MOVE_FILE: Sequence[Column[Move]] = (
    Column(
        "date",
        lambda move: dates.london_day(move.at),
        field=Day(label="Date", required="Date is required"),
    ),
    Column("id", attrgetter("asset_id"), field=_ASSET_ID),
    Column("item", attrgetter("item")),
    Column("startPosition", attrgetter("start_position"), field=_START),
    Column("endPosition", attrgetter("end_position"), field=replace(_END, required=None)),
    Column("user", attrgetter("who")),
)
ASSET_FILE = [column for column in ASSET_LIST.columns if column.value]


def read_assets(source: Prepared) -> list[AssetUpdate]:
    """Return the assets of a file, without values for columns that it lacks. Raises FileErrors."""
    table = Table(source)
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


def read_moves(source: Prepared) -> FileLines[MoveLine]:
    """Read a file of moves, without what they say of item and user. Raises FileErrors."""
    readers = [(each.name, cell_reader(each.field)) for each in MOVE_FILE if each.field]
    table = Table(source)
    lines = [MoveLine(cells, *(cells.read(*reader) for reader in readers)) for cells in table]
    return FileLines(table, lines)


_AT_EXAMPLE = "2026-07-01T09:30:00Z"


class DestinationBody(Body):
    """The destination of an asset; `location` and `endPosition` are other names of it."""

    aliases: ClassVar = aliases_of([rules.DESTINATION])

    destination = json_field(rules.DESTINATION)


_NOT_USED = {"description": "Of a row that was read; not used"}


class AssetMoveBody(Body):
    """A move of an asset, made by the user who sends it."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"ts": "date", **aliases_of([_END])}
    state_type: ClassVar = PastMove

    # A missing field has the message of all JSON calls, an empty one that of the field.
    asset_id = json_field(_ASSET_ID, data_key="id", error_messages={})
    at = JsonMoment(
        data_key="date",
        metadata={"description": "A time, or a day; now if missing", "example": _AT_EXAMPLE},
    )
    start = json_field(_START, data_key="startPosition", load_default=missing)
    end = json_field(_END, data_key="endPosition", error_messages={})
    item = fields.String(metadata=_NOT_USED | {"example": "Office chair"})
    user = fields.String(metadata=_NOT_USED | {"example": "j.marsh"})


class AssetMoveReply(replies.Reply):
    """A move of an asset; `item` is what the asset was called then."""

    date = replies.moment(_AT_EXAMPLE, "at")
    id = replies.text("A/0042", "asset_id", description="The asset's")
    item = replies.text("Office chair")
    start_position = replies.text("Store", description="Empty when unknown")
    end_position = replies.text("Room 12", description="Empty when unknown")
    user = replies.text("j.marsh", "who", description="A user name; empty for the terminal")
