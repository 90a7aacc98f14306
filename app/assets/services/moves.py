"""Moves: the location and the history change together (design §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app import dates, names
from app.assets.models import Asset
from app.assets.queries import moves as history
from app.assets.queries import register as queries
from app.assets.rules import assets as rules
from app.assets.services.register import Written, locked, note_move, place, raise_versions
from app.db import db
from app.errors import Conflict, Invalid


@dataclass(frozen=True)
class Moved:
    """How many assets were moved to where, what the first is called, and how many were there."""

    moved: int
    item: str
    destination: str
    stayed: int


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

    Raises Invalid without a destination, NotFound when one doesn't exist, and Conflict when all
    of them are there already.
    """
    if not destination:
        raise Invalid(rules.DESTINATION_REQUIRED, "destination")
    found = locked(numbers)
    if not found or len(found) < len(set(numbers)):
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
    return Moved(len(going), going[0].item, destination, len(found) - len(going))


def record_moves(told: Sequence[PastMove], *, by: int | None) -> Recorded:
    """Add entries to the history; the latest one of an asset also says where it is now.

    What only repeats an asset's last move of the same day isn't added again: whoever changes the
    register and then tells of the move says one thing twice. Raises Invalid that names the first
    asset there isn't.
    """
    found = _locked_by_key({names.key(move.asset_id) for move in told})
    # Not before: what others moved while this waited for them came first.
    now = dates.utc_now()
    latest = history.latest_moves(sorted(found))
    written = Written()
    added = 0
    for position, move in enumerate(told):
        asset = found.get(names.key(move.asset_id))
        if asset is None:
            raise Invalid(f'There is no asset "{move.asset_id}".', f"{position}.id")
        at = move.at or now
        last = latest.get(asset.asset_key)
        start = asset.location if move.start is None else move.start
        if last and _repeats(move, at, last.at, (last.start_position, last.end_position)):
            continue
        noted = note_move(asset, start, move.end, at, by=by)
        added += 1
        written.history = True
        if last is not None and at < last.at:
            continue
        latest[asset.asset_key] = noted
        if rules.moves(asset.location, move.end):
            place(asset, move.end)
            written.register = True
    raise_versions(written)
    return Recorded(added)


def _repeats(move: PastMove, at: datetime, last_at: datetime, last: tuple[str, str]) -> bool:
    start, end = (names.key(position) for position in last)
    says_so = names.key(move.end) == end and (move.start is None or names.key(move.start) == start)
    return says_so and dates.london_day(at) == dates.london_day(last_at)


def _locked_by_key(keys: set[str]) -> dict[str, Asset]:
    numbers: list[int] = []
    wanted = sorted(keys)
    for start in range(0, len(wanted), 5000):
        statement = select(Asset.id).where(Asset.asset_key.in_(wanted[start : start + 5000]))
        numbers += db.session.execute(statement).scalars()
    return {asset.asset_key: asset for asset in locked(numbers).values()}
