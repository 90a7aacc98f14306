"""Whole lists: imports set the items they name, the API's full list replaces all of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import select

from app import dates, names
from app.db import db
from app.divisions import Store
from app.errors import Invalid
from app.stock.models import Item
from app.stock.queries import levels
from app.stock.rules import operations as rules
from app.stock.rules.operations import Add, Change, ItemState, Operation, Remove
from app.stock.services.ledger import Context, Progress, apply_operations
from app.versions import check_version, refuse_stale_list


@dataclass(frozen=True)
class ImportResult:
    """How many items an import added, changed and left as they were."""

    added: int
    changed: int
    unchanged: int
    removed: int = 0


def set_stock(
    store: Store,
    wanted: Sequence[ItemState],
    *,
    reason: str,
    keeps_unit: bool,
    on: date | None = None,
    progress: Progress = iter,
) -> ImportResult:
    """Set the items of a list to its values and leave all others alone (an import), today.

    With `keeps_unit` the list says nothing of units. Items that hold the values already get no
    ledger line.
    """
    live = _locked_list(store)
    operations = _setting(wanted, live, keeps_unit=keeps_unit)
    if operations:
        context = Context(by=None, on=on or dates.today(), reason=reason)
        apply_operations(store, operations, context, progress=progress)
    return _result(operations, len(wanted))


def replace_stock(
    store: Store,
    wanted: Sequence[ItemState],
    *,
    versions: Collection[int] | None,
    reason: str = "",
    team: str = "",
    on: date,
    by: int,
) -> ImportResult:
    """Make a site's list hold exactly these items, through the ledger (design §4).

    `versions` are the list's data versions that the caller has seen, None for an empty list.
    Raises PreconditionFailed when the list is another one now.
    """
    _check_named_once(wanted)
    live = _locked_list(store)
    site = levels.locked_site(store)
    check_version(versions, site.version, is_empty=not live)
    # Somebody may have filled an empty list before its row was locked.
    if versions is None and _locked_list(store):
        refuse_stale_list()
    operations = _setting(wanted, live, keeps_unit=False, takes_spelling=True)
    kept = {names.key(item.name) for item in wanted}
    operations += [Remove(item.id) for key, item in live.items() if key not in kept]
    if operations:
        context = Context(by=by, on=on, team=team, reason=reason or "Full list")
        apply_operations(store, operations, context)
    return _result(operations, len(wanted))


def _check_named_once(wanted: Sequence[ItemState]) -> None:
    seen: set[str] = set()
    for place, item in enumerate(wanted):
        key = names.key(item.name)
        if key in seen:
            raise Invalid(f'"{item.name}" stands in the list twice', f"{place}.item")
        seen.add(key)


def show_count_tools(store: Store, *, shown: bool) -> None:
    """Show or hide the stock-count tools of a site's page (seed §2)."""
    site = levels.locked_site(store)
    site.hides_count = not shown
    site.version += 1


def _locked_list(store: Store) -> dict[str, Item]:
    statement = (
        select(Item)
        .where(Item.site_id == levels.site_id(store), Item.removed_at.is_(None))
        .order_by(Item.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return {item.name_key: item for item in db.session.execute(statement).scalars()}


def _setting(
    wanted: Sequence[ItemState],
    live: dict[str, Item],
    *,
    keeps_unit: bool,
    takes_spelling: bool = False,
) -> list[Operation]:
    """Return the operations that give the listed items these values, none where they hold."""
    operations: list[Operation] = []
    for new in wanted:
        existing = live.get(names.key(new.name))
        if existing is None:
            operations.append(Add(replace(new, unit=new.unit or rules.DEFAULT_UNIT)))
            continue
        change = Change(
            existing.id,
            amount=new.amount,
            category=new.category,
            unit_price=new.unit_price,
            unit=None if keeps_unit or not new.unit else new.unit,
            name=new.name if takes_spelling else None,
        )
        before = levels.state_of(existing)
        if rules.apply(change, before).after != before:
            operations.append(change)
    return operations


def _result(operations: Sequence[Operation], listed: int) -> ImportResult:
    added = sum(isinstance(operation, Add) for operation in operations)
    removed = sum(isinstance(operation, Remove) for operation in operations)
    changed = len(operations) - added - removed
    return ImportResult(added, changed, listed - added - changed, removed)
