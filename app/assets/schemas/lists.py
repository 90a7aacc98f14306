"""The register and the history of moves as lists: their filters and orders."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.assets.models import Asset, AssetMove
from app.assets.queries import moves, register
from app.assets.queries.move_filters import SORTED_BY, is_at, is_by
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetRow, has_text, sort_column
from app.assets.rules.fields import ID
from app.assets.rules.sorting import MOVE_ORDERS, REGISTER_COLUMNS, SORT_COLUMNS
from app.records.filters import Matching, OnDays, Search
from app.records.record import Record, sort_columns
from app.sorting import SortColumns

MOVE_LIST = Record[Move](
    name="move",
    plural="moves",
    list_name=moves.LIST,
    model=AssetMove,
    rows=moves.moves_of,
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
    columns=sort_columns(MOVE_ORDERS, SORTED_BY),
    listed=list(MOVE_ORDERS.columns),
    order=[AssetMove.at.desc(), AssetMove.id.desc()],
    default=MOVE_ORDERS.default,
    key=AssetMove.id,
    newest_first=True,
    call_by=AssetMove.at,
)


def _columns() -> Mapping[str, Sequence[Any]]:
    """Return what the register is sorted by, by the names of its orders."""
    by_item = [Asset.item_key, Asset.id]
    return {
        column: [Asset.asset_key] if name == ID.name else [sort_column(name), *by_item]
        for column, name in SORT_COLUMNS.items()
    }


def _text_filter(name: str, example: str) -> Matching:
    return Matching(
        name=name,
        description=f"The {name} of an asset; – for assets without one",
        example=example,
        conditions=partial(has_text, name),
    )


# Parts follow a row by its values, and an empty one has none.
_REGISTER = SortColumns(
    {
        name: replace(column, indexed=not sort_column(SORT_COLUMNS[name]).nullable)
        for name, column in REGISTER_COLUMNS.columns.items()
    },
    REGISTER_COLUMNS.default,
)

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
    columns=sort_columns(_REGISTER, _columns()),
    listed=list(_REGISTER.columns),
    order=[Asset.item_key, Asset.id],
    default=_REGISTER.default,
    key=Asset.asset_key,
)
