"""Whole lists of assets: imports set what they name, the API's full list replaces all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import names
from app.assets.models import Asset
from app.assets.queries import register as queries
from app.assets.rules.assets import AssetState, ToldAsset
from app.assets.services.register import Written, insert, raise_versions, write
from app.db import db
from app.errors import Invalid
from app.versions import check_seen, locked_version


@dataclass(frozen=True)
class ListChange:
    """How many assets a list added, changed, left as they were and removed."""

    added: int
    changed: int
    unchanged: int
    removed: int = 0


def set_assets(told: Sequence[ToldAsset], *, by: int | None) -> ListChange:
    """Set the assets of a list and leave all others alone (an import).

    An asset that is known keeps its id's spelling; one without an id is a new one.
    """
    present, _ = _held()
    wanted = []
    for each in told:
        known = present.get(names.key(each.id))
        wanted.append(each.upon(queries.state_of(known) if known else None))
    return _write(wanted, present, by=by)


def replace_assets(
    wanted: Sequence[AssetState], *, versions: Collection[int] | None, by: int | None
) -> ListChange:
    """Make the register hold exactly these assets; those that go keep their history (design §4).

    `versions` are the register's data versions that the caller has seen, None for an empty one.
    Raises PreconditionRequired, PreconditionFailed, and Invalid for an id that stands there twice.
    """
    _check_named_once(wanted)
    present, version = _held()
    check_seen(versions, version, is_empty=not present)
    kept = {names.key(state.id) for state in wanted}
    gone = [asset for key, asset in present.items() if key not in kept]
    for asset in gone:
        db.session.delete(asset)
    return _write(wanted, present, by=by, removed=len(gone))


def _held() -> tuple[dict[str, Asset], int]:
    """Return the assets by key and the register's version; nobody else changes them meanwhile.

    Assets are locked before the version, as single changes do; what was added until the version
    was locked is read then.
    """
    statement = (
        select(Asset).order_by(Asset.id).with_for_update().execution_options(populate_existing=True)
    )
    db.session.execute(statement).scalars().all()
    version = locked_version(queries.LIST)
    present = db.session.execute(statement).scalars()
    return {asset.asset_key: asset for asset in present}, version


def _check_named_once(wanted: Sequence[AssetState]) -> None:
    seen: set[str] = set()
    for place, state in enumerate(wanted):
        key = names.key(state.id)
        if key and key in seen:
            raise Invalid(f'"{state.id}" stands in the list twice', f"{place}.id")
        seen.add(key)


def _write(
    wanted: Sequence[AssetState],
    present: dict[str, Asset],
    *,
    by: int | None,
    removed: int = 0,
) -> ListChange:
    written = Written(register=removed > 0)
    added = changed = 0
    for state in wanted:
        known = present.get(names.key(state.id)) if state.id else None
        if known is None:
            insert(state)
            added += 1
            written.register = True
            continue
        change = write(known, state, by=by)
        changed += change.register
        written.note(change)
    raise_versions(written)
    return ListChange(added, changed, len(wanted) - added - changed, removed)
