"""The history of moves as a list: its filters and orders."""

from app.assets.models import AssetMove
from app.assets.queries import moves
from app.assets.queries.move_filters import SORTED_BY, is_at, is_by
from app.assets.queries.moves import Move
from app.assets.rules.sorting import MOVE_ORDERS
from app.records.filters import Matching, OnDays, Search
from app.records.record import Record, sort_columns

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
