"""Whole lists of assets: imports set what they name, the API's full list replaces all."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from app import dates, names
from app.assets.models import Asset, AssetMove
from app.assets.queries import register as queries
from app.assets.queries.register import AssetRow
from app.assets.rules import assets as rules
from app.assets.rules.assets import AssetState, ToldAsset
from app.assets.services.register import (
    Written,
    hold_register,
    move_row,
    raise_versions,
    stored,
    with_id,
)
from app.db import db
from app.errors import Invalid
from app.versions import check_version, version_of

Wanted = Sequence[AssetState]
Progress = Callable[[Sequence[Wanted]], Iterable[Wanted]]

_AT_A_TIME = 1000

_READ = (
    Asset.id,
    Asset.revision,
    Asset.asset_key,
    Asset.asset_id,
    Asset.item,
    Asset.make,
    Asset.model,
    Asset.serial,
    Asset.supplier,
    Asset.location,
    Asset.purchase_date,
    Asset.purchase_price,
    Asset.category,
    Asset.status,
    Asset.quantity,
)
"""Rows are read without their entities, of which many take long."""


@dataclass(frozen=True)
class ListChange:
    """How many assets a list added, changed, left as they were and removed."""

    added: int
    changed: int
    unchanged: int
    removed: int = 0


def set_assets(
    told: Sequence[ToldAsset], *, by: int | None, progress: Progress = iter
) -> ListChange:
    """Set the assets of a list and leave all others alone (an import).

    An asset that is known keeps its id's spelling; one without an id is a new one.
    """
    present, _ = _held()
    wanted = []
    for each in told:
        known = present.get(names.key(each.id))
        wanted.append(each.upon(queries.state_of(known) if known else None))
    return _write(wanted, present, by=by, progress=progress)


def replace_assets(
    wanted: Wanted, *, versions: Collection[int] | None, by: int | None
) -> ListChange:
    """Make the register hold exactly these assets; those that go keep their history (design §4).

    `versions` are the register's data versions that the caller has seen, None for an empty one.
    Raises PreconditionRequired, PreconditionFailed, and Invalid for an id that stands there twice.
    """
    _check_named_once(wanted)
    present, version = _held()
    check_version(versions, version, is_empty=not present)
    kept = {names.key(state.id) for state in wanted}
    gone = [row.id for key, row in present.items() if key not in kept]
    for start in range(0, len(gone), _AT_A_TIME):
        # Nothing of the table is in the session, so there is nothing to bring into line.
        leaving = delete(Asset).where(Asset.id.in_(gone[start : start + _AT_A_TIME]))
        db.session.execute(leaving, execution_options={"synchronize_session": False})
    return _write(wanted, present, by=by, removed=len(gone))


def _held() -> tuple[dict[str, AssetRow], int]:
    """Return the assets by key and the register's version; nobody else changes them meanwhile."""
    hold_register()
    found = db.session.execute(select(*_READ).order_by(Asset.id))
    return {row.asset_key: row for row in found}, version_of(queries.LIST)


def _check_named_once(wanted: Wanted) -> None:
    seen: set[str] = set()
    for place, state in enumerate(wanted):
        key = names.key(state.id)
        if key and key in seen:
            raise Invalid(f'"{state.id}" stands in the list twice', f"{place}.id")
        seen.add(key)


def _write(
    wanted: Wanted,
    present: dict[str, AssetRow],
    *,
    by: int | None,
    removed: int = 0,
    progress: Progress = iter,
) -> ListChange:
    now = dates.utc_now()
    added = changed = 0
    written = Written(register=removed > 0)
    for chunk in progress(_chunks(wanted)):
        rows = _rows(chunk, present, now, by)
        for statement, values in (
            (insert(Asset), rows.added),
            (update(Asset), rows.changed),
            (insert(AssetMove), rows.moves),
        ):
            if values:
                # With their nulls written all rows are one statement.
                db.session.execute(statement, values, execution_options={"render_nulls": True})
        added += len(rows.added)
        changed += len(rows.changed)
        written.note(Written(bool(rows.added or rows.changed), bool(rows.moves)))
    raise_versions(written)
    return ListChange(added, changed, len(wanted) - added - changed, removed)


@dataclass(frozen=True)
class _Rows:
    """What some assets of a list come to in the tables."""

    added: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    moves: list[dict[str, Any]]


def _rows(wanted: Wanted, present: dict[str, AssetRow], now: datetime, by: int | None) -> _Rows:
    rows = _Rows([], [], [])
    for state in wanted:
        known = present.get(names.key(state.id)) if state.id else None
        if known is None:
            rows.added.append(stored(with_id(state)) | {"revision": 0})
            continue
        before = queries.state_of(known)
        if state == before:
            continue
        values = {"id": known.id, "revision": known.revision + 1}
        rows.changed.append(stored(state) | values)
        if rules.moves(before.location, state.location):
            rows.moves.append(move_row(state, before.location, state.location, now, by=by))
    return rows


def _chunks(wanted: Wanted) -> Sequence[Wanted]:
    return [wanted[start : start + _AT_A_TIME] for start in range(0, len(wanted), _AT_A_TIME)]
