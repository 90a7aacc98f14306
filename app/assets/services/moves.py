"""Moves: the location and the history change together (design §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from sqlalchemy import select

from app import dates, names
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import assets as rules
from app.assets.services.register import (
    Written,
    hold_register,
    locked,
    note_move,
    place,
    raise_versions,
)
from app.db import db
from app.errors import Conflict, Invalid


@dataclass(frozen=True)
class Moved:
    """How many assets were moved to where, and what the first is called.

    `stayed` were there already, `gone` are no longer in the register.
    """

    moved: int
    item: str
    destination: str
    stayed: int
    gone: int = 0


@dataclass(frozen=True)
class PastMove:
    """A move as it is told later; without a moment it happens now.

    Without `start` it began where the asset is.
    """

    asset_id: str
    end: str
    start: str | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class Recorded:
    """How many entries were added to the history."""

    added: int


def move_assets(numbers: Sequence[int], destination: str, *, by: int | None) -> Moved:
    """Move assets; those of several that are at the destination already stay as they are.

    Raises Invalid without a destination, NotFound when none of them exists, and Conflict when all
    of them are there already.
    """
    destination = rules.said(destination)
    if not destination:
        raise Invalid(rules.DESTINATION_REQUIRED, "destination")
    hold_register()
    found = locked(numbers)
    if not found:
        raise queries.NoSuchAsset
    going = [asset for asset in found.values() if rules.moves(asset.location, destination)]
    if not going:
        first = next(iter(found.values()))
        what = first.item if len(found) == 1 else f"All {len(found)} assets"
        verb = "is" if len(found) == 1 else "are"
        raise Conflict(f"{what} {verb} at {first.location} already.", "destination")
    now = dates.utc_now()
    for asset in going:
        note_move(asset, asset.location, destination, now, by=by)
        place(asset, destination)
    raise_versions(Written(register=True, history=True))
    return Moved(
        moved=len(going),
        item=going[0].item,
        destination=destination,
        stayed=len(found) - len(going),
        gone=len(set(numbers)) - len(found),
    )


def record_moves(told: Sequence[PastMove], *, by: int | None) -> Recorded:
    """Add entries to the history; the latest one of an asset also says where it is now.

    Entries are taken in the order in which they happened. One that goes nowhere isn't added, nor
    what only repeats an asset's last move of the same day: whoever changes the register and then
    tells of the move says one thing twice. Raises Invalid that names the first asset there isn't.
    """
    hold_register()
    found = _locked_by_key({names.key(move.asset_id) for move in told})
    for position, move in enumerate(told):
        if names.key(move.asset_id) not in found:
            raise Invalid(f'There is no asset "{move.asset_id}".', f"{position}.id")
    # A moment that was read before somebody else's move was waited for would come before it.
    now = dates.utc_now()
    latest = history.latest_moves(sorted(found))
    written = Written()
    added = 0
    for at, move in sorted(((move.at or now, move) for move in told), key=itemgetter(0)):
        asset = found[names.key(move.asset_id)]
        last = latest.get(asset.asset_key)
        is_latest = last is None or at >= last.at
        start, end = _positions(move, asset, at, is_latest=is_latest)
        if not rules.moves(start, end) or (last and _repeats(move, at, last)):
            continue
        noted = note_move(asset, start, end, at, by=by)
        added += 1
        written.history = True
        if not is_latest:
            continue
        latest[asset.asset_key] = noted
        if rules.moves(asset.location, end):
            place(asset, end)
            written.register = True
    raise_versions(written)
    return Recorded(added)


def _positions(move: PastMove, asset: Asset, at: datetime, *, is_latest: bool) -> tuple[str, str]:
    """Return from where to where a move went; what isn't told is where the asset was then."""
    end = rules.said(move.end)
    if move.start is not None:
        return rules.said(move.start), end
    return asset.location if is_latest else history.position_at(asset.asset_key, at), end


def _repeats(move: PastMove, at: datetime, last: AssetMove) -> bool:
    is_same_end = names.key(rules.said(move.end)) == last.end_key
    told_start = None if move.start is None else names.key(rules.said(move.start))
    is_same_day: bool = dates.london_day(at) == dates.london_day(last.at)
    return is_same_end and told_start in (None, last.start_key) and is_same_day


def _locked_by_key(keys: set[str]) -> dict[str, Asset]:
    numbers: list[int] = []
    wanted = sorted(keys)
    for start in range(0, len(wanted), 5000):
        statement = select(Asset.id).where(Asset.asset_key.in_(wanted[start : start + 5000]))
        numbers += db.session.execute(statement).scalars()
    return {asset.asset_key: asset for asset in locked(numbers).values()}
