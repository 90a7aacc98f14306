"""Changes of single assets; every change of a location is a move."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from sqlalchemy import select

from app import dates, names
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import assets as rules
from app.assets.rules.assets import AssetState
from app.db import db
from app.errors import Conflict, EditedMeanwhile
from app.versions import locked_version, raise_version

_TEXTS = ("item", "make", "model", "serial", "supplier", "location", "category", "status")


@dataclass(frozen=True)
class AssetChange:
    """An asset that was added or edited, in plain values that a replay can repeat."""

    number: int
    item: str


def add_asset(new: AssetState) -> AssetChange:
    """Add an asset to the register. Raises Conflict when the register has its id."""
    # Every addition holds this, so no two can meet.
    locked_version(queries.LIST)
    existing = queries.known_as(new.id) if new.id else None
    if existing is not None:
        raise Conflict(
            f'There is an asset with the ID "{existing.asset_id}" already: {existing.item}.', "id"
        )
    asset = insert(new)
    db.session.flush()
    raise_version(queries.LIST)
    return AssetChange(asset.id, asset.item)


def edit_asset(number: int, told: AssetState, *, revision: int, by: int | None) -> AssetChange:
    """Change what an asset is; its id stays, whatever is told.

    Raises EditedMeanwhile when somebody else edited it since `revision`.
    """
    asset = locked([number]).get(number)
    if asset is None:
        raise queries.NoSuchAsset
    if asset.revision != revision:
        raise EditedMeanwhile("asset")
    written = Written()
    written.note(write(asset, replace(told, id=asset.asset_id), by=by))
    raise_versions(written)
    return AssetChange(asset.id, asset.item)


@dataclass
class Written:
    """Whether the register has changed, and its history."""

    register: bool = False
    history: bool = False

    def note(self, told: "Written") -> None:
        """Add what another change did."""
        self.register = self.register or told.register
        self.history = self.history or told.history


def insert(new: AssetState) -> Asset:
    """Add an asset's row; without an id it gets one.

    Hold the register's version; flush and raise it afterwards.
    """
    asset = Asset(revision=0)
    _set(asset, new if new.id else replace(new, id=str(uuid4())))
    db.session.add(asset)
    return asset


def write(asset: Asset, after: AssetState, *, by: int | None) -> Written:
    """Make a locked asset what was told, and note its move if it moves; tell what has changed.

    Flush and raise the versions afterwards.
    """
    before = queries.state_of(asset)
    if after == before:
        return Written()
    asset.revision += 1
    _set(asset, after)
    has_moved = rules.moves(before.location, after.location)
    if has_moved:
        note_move(asset, before.location, after.location, dates.utc_now(), by=by)
    return Written(register=True, history=has_moved)


def note_move(asset: Asset, start: str, end: str, at: datetime, *, by: int | None) -> AssetMove:
    """Append a move to the history."""
    texts = (asset.item, asset.asset_id, start, end)
    move = AssetMove(
        at=at,
        asset_id=asset.asset_id,
        asset_key=asset.asset_key,
        item=asset.item,
        start_position=start,
        start_key=names.key(start),
        end_position=end,
        end_key=names.key(end),
        search_key="\n".join(names.key(text) for text in texts),
        user_id=by,
    )
    db.session.add(move)
    return move


def place(asset: Asset, location: str) -> None:
    """Set where a locked asset is."""
    asset.revision += 1
    _set(asset, replace(queries.state_of(asset), location=location))


def locked(numbers: Collection[int]) -> dict[int, Asset]:
    """Return assets by our own id, held until the transaction ends."""
    found: dict[int, Asset] = {}
    wanted = sorted(set(numbers))
    for start in range(0, len(wanted), 5000):
        statement = (
            select(Asset)
            .where(Asset.id.in_(wanted[start : start + 5000]))
            .order_by(Asset.id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        found |= {asset.id: asset for asset in db.session.execute(statement).scalars()}
    return found


def raise_versions(written: Written) -> None:
    """Write what was changed and note that the lists have changed; do it last."""
    db.session.flush()
    if written.register:
        raise_version(queries.LIST)
    if written.history:
        raise_version(history.LIST)


def _set(asset: Asset, state: AssetState) -> None:
    asset.asset_id, asset.asset_key = state.id, names.key(state.id)
    for name in _TEXTS:
        text = getattr(state, name)
        setattr(asset, name, text)
        setattr(asset, f"{name}_key", names.key(text))
    asset.purchase_date = state.purchase_date
    asset.purchase_price = state.purchase_price
    asset.quantity = state.quantity
    asset.search_key = rules.search_key(state)
