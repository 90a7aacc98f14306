"""The expected summaries of the ledger, computed from the items and the ledger themselves."""

from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import String, case, cast, func, select

from app import dates, names
from app.db import db
from app.stock.models import Item, LedgerEntry, LedgerReason, PastName, StockSite
from app.stock.queries.history_scope import displayed_amount, is_listed
from app.stock.rules.summaries import ALL_DAYS, KEY, SUMS
from app.sums import sum_of, value_sums


def site_sums() -> dict[int, dict[str, int]]:
    """Return the expected values of each site's columns, by its id."""
    high, low = value_sums(Item.amount, Item.unit_price)
    statement = (
        select(
            StockSite.id,
            func.count(Item.id).filter(Item.removed_at.is_(None)).label("items"),
            sum_of(Item.amount).label("units"),
            high.label("value_high"),
            low.label("value_low"),
        )
        .outerjoin(Item, Item.site_id == StockSite.id)
        .group_by(StockSite.id)
    )
    return {
        row.id: {
            "items": row.items,
            "units": int(row.units),
            "value_high": int(row.value_high),
            "value_low": int(row.value_low),
        }
        for row in db.session.execute(statement)
    }


def summaries() -> list[dict[str, Any]]:
    """Return the rows that LedgerSummary should have, in the order of their keys."""
    # London is a whole number of hours from UTC, so grouping by hour is exact.
    hour = func.substr(cast(LedgerEntry.effective_at, String), 1, len("2011-12-09 12"))
    groups = (
        LedgerEntry.site_id,
        hour.label("hour"),
        LedgerEntry.kind,
        LedgerEntry.team,
        func.coalesce(LedgerEntry.imported_site, StockSite.site.cast(String)).label("site"),
        LedgerEntry.imported_amount.is_not(None).label("is_imported"),
    )
    high, low = value_sums(
        case((LedgerEntry.imported_total.is_(None), displayed_amount), else_=1),
        func.coalesce(LedgerEntry.imported_total, LedgerEntry.unit_price),
    )
    columns = (func.count(), sum_of(displayed_amount), high, low)
    statement = (
        select(*groups, *(column.label(name) for column, name in zip(columns, SUMS, strict=True)))
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(is_listed)
        .group_by(*groups)
    )
    sums: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for row in db.session.execute(statement):
        hour_start = datetime.strptime(row.hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        for day in (ALL_DAYS, dates.london_day(hour_start)):
            key = (row.site_id, day, row.kind, row.team, row.site, bool(row.is_imported))
            sums[key].update({name: int(row._mapping[name]) for name in SUMS})
    return [
        {**dict(zip(KEY, key, strict=True)), **{name: numbers[name] for name in SUMS}}
        for key, numbers in sorted(sums.items())
    ]


def missing_reasons() -> set[str]:
    """Return the reasons of ledger entries that a search wouldn't find."""
    statement = select(LedgerEntry.reason).where(LedgerEntry.reason != "").distinct()
    stored = select(LedgerReason.reason)
    return set(db.session.execute(statement.except_(stored)).scalars())


def missing_past_names() -> set[tuple[int, str]]:
    """Return the items with the keys of their past names that a search wouldn't find."""
    statement = (
        select(LedgerEntry.item_id, LedgerEntry.item_name, Item.name_key)
        .join(Item, Item.id == LedgerEntry.item_id)
        .where(LedgerEntry.item_name != Item.name)
        .distinct()
    )
    past = {
        (row.item_id, names.key(row.item_name))
        for row in db.session.execute(statement)
        if names.key(row.item_name) != row.name_key
    }
    return past - {
        tuple(row) for row in db.session.execute(select(PastName.item_id, PastName.name_key))
    }
