"""Keep the summaries that pages read instead of the ledger: counts, sums, and searched texts.

Every writer of the ledger calls `change_sites` and then `add_entries`, in its transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, insert, text, update

from app import names
from app.db import db, execute, table_of
from app.lists import batches
from app.stock.models import LedgerSummary, StockSite
from app.stock.queries import summaries as queries
from app.stock.rules.operations import LedgerLine
from app.stock.rules.summaries import SITE_SUMS, change_of_site, summarise

_ADD = text(
    """
    INSERT INTO ledger_summary
        (site_id, day, kind, team, site, is_imported, entries, units, value_high, value_low)
    VALUES
        (:site_id, :day, :kind, :team, :site, :is_imported,
         :entries, :units, :value_high, :value_low)
    ON CONFLICT (site_id, day, kind, team, site, is_imported) DO UPDATE SET
        entries = ledger_summary.entries + excluded.entries,
        units = ledger_summary.units + excluded.units,
        value_high = ledger_summary.value_high + excluded.value_high,
        value_low = ledger_summary.value_low + excluded.value_low
    """
).bindparams(
    *(bindparam(name, type_=table_of(LedgerSummary).c[name].type) for name in ("day", "kind"))
)
_ADD_REASON = text(
    "INSERT INTO ledger_reason (reason, reason_key) VALUES (:reason, :reason_key) "
    "ON CONFLICT (reason) DO NOTHING"
)
_ADD_PAST_NAME = text(
    "INSERT INTO item_past_name (item_id, name_key) VALUES (:item_id, :name_key) "
    "ON CONFLICT (item_id, name_key) DO NOTHING"
)
_SITES = table_of(StockSite)
_CHANGE_SITE = (
    update(_SITES)
    .where(_SITES.c.id == bindparam("site_id"))
    .values(
        {"version": _SITES.c.version + 1}
        | {name: _SITES.c[name] + bindparam(f"{name}_change") for name in SITE_SUMS}
    )
)


def add_entries(entries: Sequence[Mapping[str, Any]], sites: Mapping[int, str]) -> None:
    """Add new ledger rows to the summaries and searched texts, once their sites are locked."""
    if sums := summarise(entries, sites):
        execute(_ADD, sums)
    if reasons := sorted({entry["reason"] for entry in entries} - {""}):
        execute(_ADD_REASON, [_reason_row(reason) for reason in reasons])


def change_sites(lines_at: Mapping[int, Sequence[LedgerLine]]) -> None:
    """Increment the versions of sites and add lines to their sums, locking them in order of ids."""
    changes = {site_id: change_of_site(lines_at[site_id]) for site_id in sorted(lines_at)}
    rows = [
        {"site_id": site_id} | {f"{name}_change": by for name, by in change.items()}
        for site_id, change in changes.items()
    ]
    execute(_CHANGE_SITE, rows)


def keep_past_names(lines: Iterable[LedgerLine]) -> None:
    """Let a search find renamed items by the names that their earlier entries have."""
    renamed = [
        {"item_id": line.after.id, "name_key": names.key(line.before.name)}
        for line in lines
        if names.key(line.before.name) != names.key(line.after.name)
    ]
    if renamed:
        execute(_ADD_PAST_NAME, renamed)


def rebuild() -> None:
    """Make the counts and sums anew from the items and the ledger, and add missing texts."""
    for site_id, sums in queries.site_sums().items():
        db.session.execute(update(StockSite).filter_by(id=site_id).values(**sums))
    db.session.execute(delete(LedgerSummary))
    for rows in batches(queries.summaries()):
        db.session.execute(insert(LedgerSummary), rows)
    for reasons in batches(sorted(queries.missing_reasons())):
        db.session.execute(_ADD_REASON, [_reason_row(reason) for reason in reasons])
    for past in batches(sorted(queries.missing_past_names())):
        rows = [{"item_id": item_id, "name_key": key} for item_id, key in past]
        db.session.execute(_ADD_PAST_NAME, rows)


def _reason_row(reason: str) -> dict[str, str]:
    return {"reason": reason, "reason_key": names.key(reason)}
