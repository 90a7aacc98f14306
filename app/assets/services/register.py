"""Changes of single assets; every change of a location is a move."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import select

from app import dates, names
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import assets as rules
from app.assets.rules.assets import AssetState
from app.db import advisory_lock, db
from app.errors import Conflict, EditConflict
from app.versions import increment_version

_TEXTS = ("item", "make", "model", "serial", "supplier", "location", "category", "status")


@dataclass(frozen=True)
class AssetChange:
    """An asset that was added or edited, in plain values that a replay can repeat."""

    number: int
    item: str


def add_asset(new: AssetState) -> AssetChange:
    """Add an asset to the register. Raises Conflict when the register has its id."""
    hold_register()
    existing = queries.known_as(new.id) if new.id else None
    if existing is not None:
        raise Conflict(
            f'There is an asset with the ID "{existing.asset_id}" already: {existing.item}.', "id"
        )
    asset = Asset(**stored(with_id(new)), revision=0)
    db.session.add(asset)
    raise_versions(Written(register=True))
    return AssetChange(asset.id, asset.item)


def edit_asset(number: int, told: AssetState, *, revision: int, by: int | None) -> AssetChange:
    """Change what an asset is; its id stays, whatever is told.

    Raises EditConflict when somebody else edited it since `revision`.
    """
    hold_register()
    asset = locked([number]).get(number)
    if asset is None:
        raise queries.NoSuchAsset
    if asset.revision != revision:
        raise EditConflict("asset")
    before, after = queries.state_of(asset), replace(told, id=asset.asset_id)
    if after == before:
        return AssetChange(asset.id, asset.item)
    _set(asset, after)
    has_moved = rules.moves(before.location, after.location)
    if has_moved:
        note_move(asset, before.location, after.location, dates.utc_now(), by=by)
    raise_versions(Written(register=True, history=has_moved))
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


def note_move(asset: Asset, start: str, end: str, at: datetime, *, by: int | None) -> AssetMove:
    """Append a move to the history."""
    move = AssetMove(**move_row(queries.state_of(asset), start, end, at, by=by))
    db.session.add(move)
    return move


def place(asset: Asset, location: str) -> None:
    """Set where a locked asset is."""
    _set(asset, replace(queries.state_of(asset), location=location))


def hold_register() -> None:
    """Let nobody else change the register until this transaction ends; do it first."""
    advisory_lock(queries.LIST)


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
        increment_version(queries.LIST)
    if written.history:
        increment_version(history.LIST)


def with_id(new: AssetState) -> AssetState:
    """Return an asset with the id it has, or else one that nothing else has."""
    return new if new.id else replace(new, id=str(uuid4()))


def stored(state: AssetState) -> dict[str, Any]:
    """Return an asset as its row holds it."""
    texts = {name: getattr(state, name) for name in _TEXTS}
    return {
        "asset_id": state.id,
        "asset_key": names.key(state.id),
        **texts,
        **{f"{name}_key": names.key(text) for name, text in texts.items()},
        "purchase_date": state.purchase_date,
        "purchase_price": state.purchase_price,
        "quantity": state.quantity,
        "search_key": rules.search_key(state),
    }


def move_row(
    state: AssetState, start: str, end: str, at: datetime, *, by: int | None
) -> dict[str, Any]:
    """Return a move of an asset as its row holds it."""
    texts = (state.item, state.id, start, end)
    return {
        "at": at,
        "asset_id": state.id,
        "asset_key": names.key(state.id),
        "item": state.item,
        "start_position": start,
        "start_key": names.key(start),
        "end_position": end,
        "end_key": names.key(end),
        "search_key": "\n".join(names.key(text) for text in texts),
        "user_id": by,
    }


def _set(asset: Asset, state: AssetState) -> None:
    asset.revision += 1
    for name, value in stored(state).items():
        setattr(asset, name, value)
