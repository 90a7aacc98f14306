"""Keep the summaries that pages read instead of the ledger: counts, sums, and searched texts.

Every writer of the ledger calls `change_sites` and then `add_entries`, in its transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import bindparam, delete, insert, text, update

from app import names
from app.db import Base, db, execute, insert_function, table_of
from app.lists import batches
from app.stock.models import ItemUse, LedgerReason, LedgerSummary, PastName, StockSite
from app.stock.queries import operations
from app.stock.queries import summaries as queries
from app.stock.rules import summaries as rules
from app.stock.rules.operations import LedgerLine

_SUMMARIES = table_of(LedgerSummary)
_USE = table_of(ItemUse)
_CHANGE_USE = (
    update(_USE)
    .where(_USE.c.item_id == bindparam("item"), _USE.c.day == bindparam("on"))
    .values(
        undone=_USE.c.undone + bindparam("by_units"),
        value_high=_USE.c.value_high - bindparam("by_high"),
        value_low=_USE.c.value_low - bindparam("by_low"),
    )
)
_SITES = table_of(StockSite)
_CHANGE_SITE = (
    update(_SITES)
    .where(_SITES.c.id == bindparam("site_id"))
    .values(
        {"version": _SITES.c.version + 1}
        | {name: _SITES.c[name] + bindparam(f"{name}_change") for name in rules.SITE_SUMS}
    )
)


def add_entries(entries: Sequence[Mapping[str, Any]], sites: Mapping[int, str]) -> None:
    """Add new ledger rows to the summaries and searched texts, once their sites are locked."""
    if sums := rules.summarise(entries, sites):
        execute(_add_sums(db.engine.dialect.name), sums)
    if reasons := sorted({entry["reason"] for entry in entries} - {""}):
        _add_reasons(reasons)


def change_undone(operation_id: int) -> None:
    """Count the entries that an operation, or the last undo of one, took back or made again."""
    chain = db.session.scalars(operations.origins(operation_id)).all()
    sign = 1 if len(chain) % 2 else -1
    rows = queries.entries_of(min(chain))
    execute(
        _add_sums(db.engine.dialect.name),
        rules.summarise(rows, {row["site_id"]: row["site"] for row in rows}, undone=sign),
    )
    if used := rules.undone_use(rows, sign):
        execute(_CHANGE_USE, used)


def change_sites(lines_at: Mapping[int, Sequence[LedgerLine]]) -> None:
    """Increment the versions of sites and add lines to their sums, locking them in order of ids."""
    rows = []
    for site_id, lines in sorted(lines_at.items()):
        changes = rules.change_of_site(lines).items()
        rows.append({"site_id": site_id, **{f"{name}_change": by for name, by in changes}})
    execute(_CHANGE_SITE, rows)


def keep_past_names(lines: Iterable[LedgerLine]) -> None:
    """Let a search find renamed items by the names that their earlier entries have."""
    renamed = [
        {"item_id": line.after.id, "name_key": names.key(line.before.name)}
        for line in lines
        if names.key(line.before.name) != names.key(line.after.name)
    ]
    if renamed:
        execute(_add_missing(db.engine.dialect.name, PastName), renamed)


def rebuild() -> None:
    """Make the counts and sums anew from the items and the ledger, and add missing texts."""
    if db.engine.dialect.name == "postgresql":
        # Operations write here before they lock their sites: those that come later wait.
        db.session.execute(text("LOCK TABLE item_use IN SHARE ROW EXCLUSIVE MODE"))
    for site_id, sums in queries.site_sums().items():
        db.session.execute(update(StockSite).filter_by(id=site_id).values(**sums))
    for model, found in ((LedgerSummary, queries.summaries()), (ItemUse, queries.uses())):
        db.session.execute(delete(model))
        for rows in batches(found):
            db.session.execute(insert(model), rows)
    for reasons in batches(sorted(queries.missing_reasons())):
        _add_reasons(reasons)
    for past in batches(sorted(queries.missing_past_names())):
        rows = [{"item_id": item_id, "name_key": key} for item_id, key in past]
        execute(_add_missing(db.engine.dialect.name, PastName), rows)


def _add_reasons(reasons: Iterable[str]) -> None:
    rows = [{"reason": reason, "reason_key": names.key(reason)} for reason in reasons]
    execute(_add_missing(db.engine.dialect.name, LedgerReason), rows)


@cache
def _add_sums(dialect: str) -> Any:
    new = insert_function(dialect)(_SUMMARIES)
    names_of_sums = rules.SUMS + rules.UNDONE_SUMS
    sums = {name: _SUMMARIES.c[name] + new.excluded[name] for name in names_of_sums}
    return new.on_conflict_do_update(index_elements=rules.KEY, set_=sums)


@cache
def _add_missing(dialect: str, model: type[Base]) -> Any:
    return insert_function(dialect)(table_of(model)).on_conflict_do_nothing()
