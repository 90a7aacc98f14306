"""Import old history, which is displayed and exported but changes no amount."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import insert, select

from app import dates, names
from app.audit.services import record_import
from app.db import advisory_lock, db, insert_rows
from app.divisions import SITES, Division, Site
from app.events.rules import EventKind
from app.events.services import record_event
from app.lists import ListChange, batches
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries.history import recorded_lines
from app.stock.queries.history_scope import load_sites
from app.stock.rules import history as rules
from app.stock.rules.history import HistoryEvent
from app.stock.services import summaries

Rows = Sequence[dict[str, Any]]
Progress = Callable[[Sequence[Rows]], Iterable[Rows]]


@dataclass(frozen=True, slots=True)
class PastEntry:
    """A line of old history, prices in pence; `detail` is its event's text if that says more.

    `row` is its number in a file.
    """

    at: datetime
    event: HistoryEvent
    item: str
    amount: int
    team: str = ""
    detail: str = ""
    unit_price: int = 0
    total_price: int | None = None
    site: str = Site.MAIN
    row: int = field(default=0, compare=False)

    @property
    def total(self) -> int:
        """Return the total price, by default amount times unit price."""
        return self.amount * self.unit_price if self.total_price is None else self.total_price


@dataclass(frozen=True)
class PastHistory:
    """Lines of old history, and which optional values they have: only these are compared."""

    lines: Sequence[PastEntry]
    has_prices: bool = True
    has_totals: bool = True
    has_sites: bool = True

    def key(self, at: str, *values: Any) -> tuple[Any, ...]:
        """Return the key of a line's values, equal for lines that exports write alike."""
        event, team, item, amount, price, total, site = values
        return (
            at,
            event,
            _team_key(team),
            _text_key(item),
            amount,
            price if self.has_prices else None,
            total if self.has_totals else None,
            site if self.has_sites else None,
        )


def add_history(
    division: Division, past: PastHistory, *, progress: Progress = iter, by: int | None = None
) -> ListChange:
    """Append lines that are new to a division's history, as one operation.

    A line that is listed twice and in the history once is added once. Each belongs to the item of
    its name at its site: a live one, else the last removed one, else a new removed one.
    """
    advisory_lock(f"history {division}")
    missing = missing_lines(division, past)
    if missing:
        _append(division, missing, progress, by)
        record_import(f"{division} history", ListChange(len(missing)), by=by)
    return ListChange(len(missing), unchanged=len(past.lines) - len(missing))


def missing_lines(division: Division, past: PastHistory) -> Sequence[PastEntry]:
    """Return the lines that a division's history doesn't have."""
    recorded = Counter(
        # Compared as written: an hour that occurs twice in autumn is read as the first one.
        past.key(dates.utc_as_local_time(at), rules.EVENT_BY_KIND[kind], team, item, *values)
        for _, at, kind, _, team, item, *values, _ in recorded_lines(division)
    )
    if not recorded:
        return past.lines
    missing: list[PastEntry] = []
    for line in past.lines:
        values = (line.amount, line.unit_price, line.total, line.site)
        at = dates.format_local_time(line.at)
        key = past.key(at, line.event, line.team, line.item, *values)
        if recorded[key]:
            recorded[key] -= 1
        else:
            missing.append(line)
    return missing


@lru_cache(maxsize=8192)
def _team_key(team: str) -> str:
    # Exports leave out imported teams that aren't plausible.
    return _text_key(rules.display_team(team, is_imported=True))


@lru_cache(maxsize=8192)
def _text_key(text: str) -> str:
    # The pages' exports write a semicolon for every comma.
    return names.key(text).replace(",", ";")


def _append(
    division: Division, lines: Sequence[PastEntry], progress: Progress, by: int | None
) -> None:
    sites = {store.site.value: id_ for id_, store in load_sites(division).items()}
    main = sites[SITES[division][0].value]
    item_keys = [(sites.get(line.site, main), names.key(line.item)) for line in lines]
    items = _item_ids(sites.values())
    new = {key: line.item for key, line in zip(item_keys, lines, strict=True) if key not in items}
    if new:
        now = dates.utc_now()
        removed = [
            {"site_id": site_id, "name": name, "name_key": key, "amount": 0, "removed_at": now}
            for (site_id, key), name in new.items()
        ]
        for batch in batches(removed):
            db.session.execute(insert(Item), batch)
        items = _item_ids(sites.values())
    operation = StockOperation(user_id=by, recorded_at=dates.utc_now())
    db.session.add(operation)
    db.session.flush()
    rows = [
        {
            "operation_id": operation.id,
            "line": number,
            "site_id": item_key[0],
            "item_id": items[item_key],
            "item_name": line.item,
            "kind": rules.IMPORTED_AS[line.event],
            "delta": 0,
            "unit_price": line.unit_price,
            "team": line.team,
            "reason": line.detail,
            "effective_at": line.at,
            "imported_amount": line.amount,
            "imported_total": None if line.total == line.amount * line.unit_price else line.total,
            "imported_site": None if line.site in sites else line.site,
        }
        for number, (item_key, line) in enumerate(zip(item_keys, lines, strict=True))
    ]
    for batch in progress(list(batches(rows))):
        insert_rows(LedgerEntry.__table__, batch)
    kind, after = EventKind.STOCK_HISTORY_IMPORTED, {"lines": len(lines)}
    record_event(kind, "operation", operation.id, division=division, by=by, after=after)
    summaries.change_sites({site_id: [] for site_id, _ in item_keys})
    summaries.add_entries(rows, {id_: site for site, id_ in sites.items()})


def _item_ids(site_ids: Iterable[int]) -> dict[tuple[int, str], int]:
    """Return item ids by site and name key: the live item's, else the last removed one's."""
    statement = (
        select(Item.site_id, Item.name_key, Item.id)
        .where(Item.site_id.in_(list(site_ids)))
        .order_by(Item.removed_at.is_(None), Item.id)
    )
    return {(row.site_id, row.name_key): row.id for row in db.session.execute(statement)}
