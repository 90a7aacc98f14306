"""Old history comes in: shown and exported, but it moves no amount (design §4)."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from app import dates, names
from app.db import advisory_lock, db
from app.divisions import SITES, Division, Site
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.queries.history import HistoryRow, all_history
from app.stock.rules import history as rules
from app.stock.rules.history import Event

ROWS_AT_A_TIME = 2000

Rows = Sequence[dict[str, Any]]
Progress = Callable[[Sequence[Rows]], Iterable[Rows]]


@dataclass(frozen=True)
class PastMovement:
    """A line of old history; prices are in pence.

    `detail` is its event's text where that says more than the event; without a total it is the
    amount at its unit price. `site` is where it is shown, as rules.infer_site names it.
    """

    at: datetime
    event: Event
    item: str
    amount: int
    team: str = ""
    detail: str = ""
    unit_price: int = 0
    total_price: int | None = None
    site: str = Site.MAIN


@dataclass(frozen=True)
class Known:
    """Which values the lines have that needn't be there; the others don't tell lines apart."""

    prices: bool = True
    totals: bool = True
    sites: bool = True


@dataclass(frozen=True)
class HistoryResult:
    """How many lines an import added, and how many stood there already."""

    added: int
    present: int


def add_history(
    division: Division,
    lines: Sequence[PastMovement],
    *,
    known: Known,
    by: int | None = None,
    progress: Progress = iter,
) -> HistoryResult:
    """Append the lines that don't stand in a division's history yet, as one operation.

    A line that stands there twice is taken twice. Each belongs to the item of its name at its
    site, to one that was removed where there is no live one, else to a new removed one.
    """
    advisory_lock(f"history {division}")
    missing = _missing(division, lines, known)
    if missing:
        _append(division, missing, by, progress)
    return HistoryResult(len(missing), len(lines) - len(missing))


def _missing(
    division: Division, lines: Sequence[PastMovement], known: Known
) -> Sequence[PastMovement]:
    keys = _Keys(known)
    standing = Counter(keys.of_row(row) for row in all_history(division))
    missing: list[PastMovement] = []
    for line in lines:
        key = keys.of_line(line)
        if standing[key]:
            standing[key] -= 1
        else:
            missing.append(line)
    return missing


class _Keys:
    """What makes two lines of history the same, as exports write them."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._texts: dict[str, str] = {}

    def of_row(self, row: HistoryRow) -> tuple[Any, ...]:
        return self._of(row.at, row.event, row.team, row.item, row.amount) + self._rest(
            row.unit_price, row.total_price, row.site
        )

    def of_line(self, line: PastMovement) -> tuple[Any, ...]:
        total = line.total_price
        return self._of(line.at, line.event, line.team, line.item, line.amount) + self._rest(
            line.unit_price, line.amount * line.unit_price if total is None else total, line.site
        )

    def _of(self, at: datetime, event: Event, team: str, item: str, amount: int) -> tuple[Any, ...]:
        # Compared as written, since an hour that comes twice in autumn reads back as the first.
        local = at.astimezone(dates.LONDON).replace(tzinfo=None, microsecond=0, fold=0)
        # Exports leave out what isn't shown of teams that were imported.
        told = rules.shown_team(team, is_imported=True)
        return local, event, self._text(told), self._text(item), amount

    def _rest(self, unit_price: int, total_price: int, site: str) -> tuple[Any, ...]:
        known = self._known
        return (
            unit_price if known.prices else None,
            total_price if known.totals else None,
            site if known.sites else None,
        )

    def _text(self, text: str) -> str:
        if text not in self._texts:
            # The screens' exports write ; for every comma.
            self._texts[text] = names.key(text).replace(",", ";")
        return self._texts[text]


def _append(
    division: Division, lines: Sequence[PastMovement], by: int | None, progress: Progress
) -> None:
    sites: dict[str, int] = {
        site.value: id_
        for id_, site in db.session.execute(
            select(StockSite.id, StockSite.site).where(StockSite.division == division)
        )
    }
    main = sites[SITES[division][0].value]
    places = [(sites.get(line.site, main), names.key(line.item)) for line in lines]
    items = _items(sites.values())
    new = {
        place: line.item for place, line in zip(places, lines, strict=True) if place not in items
    }
    if new:
        _create_removed(new)
        items = _items(sites.values())
    operation = StockOperation(user_id=by, recorded_at=dates.utc_now())
    db.session.add(operation)
    db.session.flush()
    rows = [
        {
            "operation_id": operation.id,
            "line": number,
            "site_id": place[0],
            "item_id": items[place],
            "item_name": line.item,
            "kind": rules.kind_of(line.event),
            "delta": 0,
            "unit_price": line.unit_price,
            "team": line.team,
            "reason": line.detail,
            "effective_at": line.at,
            "changes": None,
            "shown_amount": line.amount,
            "shown_total": (
                None if line.total_price == line.amount * line.unit_price else line.total_price
            ),
            "shown_site": None if line.site in sites else line.site,
        }
        for number, (place, line) in enumerate(zip(places, lines, strict=True))
    ]
    for chunk in progress(_chunks(rows)):
        db.session.execute(insert(LedgerEntry), chunk)
    for site_id in sorted({place[0] for place in places}):
        db.session.execute(
            update(StockSite).filter_by(id=site_id).values(version=StockSite.version + 1)
        )


def _items(site_ids: Iterable[int]) -> dict[tuple[int, str], int]:
    """Return which item each name means at each site: the live one, else the last removed."""
    statement = (
        select(Item.site_id, Item.name_key, Item.id)
        .where(Item.site_id.in_(list(site_ids)))
        .order_by(Item.removed_at.is_(None), Item.id)
    )
    return {(row.site_id, row.name_key): row.id for row in db.session.execute(statement)}


def _create_removed(wanted: dict[tuple[int, str], str]) -> None:
    now = dates.utc_now()
    rows = [
        {
            "site_id": site_id,
            "name": name,
            "name_key": key,
            "amount": 0,
            "removed_at": now,
        }
        for (site_id, key), name in wanted.items()
    ]
    for chunk in _chunks(rows):
        db.session.execute(insert(Item), chunk)


def _chunks(rows: Rows) -> Sequence[Rows]:
    return [rows[start : start + ROWS_AT_A_TIME] for start in range(0, len(rows), ROWS_AT_A_TIME)]
