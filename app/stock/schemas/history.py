"""JSON and files of the history."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from marshmallow import ValidationError, post_load

from app import dates, money, names
from app.api import replies
from app.api.fields import FullMessage
from app.api.lists import ListPaging, ViewPaging
from app.api.replies import Reply
from app.divisions import SITES, Division, Site
from app.errors import Invalid
from app.fields import Moment, Pounds, WholeNumber
from app.records.calls import RANGE_PARAMETER, order_parameter, parameter
from app.records.filters import DAY_SCHEMA, MAX_QUOTED_LENGTH
from app.records.record import Column
from app.sorting import SORT
from app.stock.queries.history import HistoryLine
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules import history as rules
from app.stock.rules.filters import history_orders
from app.stock.rules.history import SITE_CHOICES, HistoryEvent
from app.stock.rules.items import REASON, TEAM, UNIT_PRICE
from app.stock.schemas.items import PRICE, parse_name, parse_price
from app.stock.services.history import PastEntry, PastHistory
from app.tables.csv_files import Cells, Rows, cell_reader, escape
from app.tables.json_files import Entries, Entry

_PRICED, _UNPRICED = history_orders(Division.GFM), history_orders(Division.GPM)

_NO_EVENT, _NO_SITE = 'There is no event "{}".', '%s has no site "{}".'
_SITES = {owner: {"enum": [*SITE_CHOICES[owner]]} for owner in SITES}


def parse_filters(
    owner: Division, values: Mapping[str, str]
) -> tuple[HistoryFilters, Mapping[str, str]]:
    """Return the filters and the order in an address of a history, and the errors in them."""
    text, site = values.get("event", ""), values.get("site", "")
    event = next((event for event in HistoryEvent if event.casefold() == text.casefold()), None)
    problems: dict[str, str] = {}
    if text and event is None:
        problems["event"] = _NO_EVENT.format(text[:MAX_QUOTED_LENGTH])
    if site and site not in SITE_CHOICES[owner]:
        problems["site"] = (_NO_SITE % owner.label).format(site[:MAX_QUOTED_LENGTH])
    start, end, day_problems = dates.parse_range(values)
    filters = HistoryFilters(
        search=values.get("q", ""),
        event=event,
        team=values.get("team", ""),
        site="" if "site" in problems else site,
        start=start,
        end=end,
        order=history_orders(owner).parse(values.get(SORT, "")),
    )
    return filters, problems | day_problems


class HistoryParameters(ViewPaging):
    """The parameters of the call of GFM's history: a part of it, its filters and its order."""

    owner: ClassVar = Division.GFM

    q = parameter("search", "Words that a line shows, in any order", "kitchen")
    event = parameter("event", "The event", "Withdrawal", {"enum": [*HistoryEvent]}, _NO_EVENT)
    team = parameter("team", "The team", "Kitchen")
    site = parameter("site", "The site", "main", _SITES[Division.GFM], _NO_SITE % "GFM")
    start = parameter("from", "The first day", "2026-01-15", DAY_SCHEMA)
    end = parameter("to", "The last day", "2026-01-15", DAY_SCHEMA)
    quick = RANGE_PARAMETER
    sort = order_parameter(_PRICED)

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> tuple[HistoryFilters, ListPaging]:
        names = {"start": "from", "end": "to", "quick": dates.RANGE}
        typed = {names.get(name, name): data[name] for name in data}
        filters, problems = parse_filters(self.owner, typed)
        for name, problem in problems.items():
            raise ValidationError(FullMessage(problem), name)
        return filters, super()._paging(data, **options)


class GpmHistoryParameters(HistoryParameters):
    """The parameters of the call of GPM's history."""

    owner: ClassVar = Division.GPM

    site = parameter("site", "The site", "main", _SITES[Division.GPM], _NO_SITE % "GPM")
    sort = order_parameter(_UNPRICED)


class GpmEntryReply(Reply):
    """A line of GPM's history."""

    id = replies.number(12)
    date = replies.moment("2011-12-09T12:50:00Z", "at")
    event = replies.choice(["Delivery", "Withdrawal", "Other"], "Withdrawal")
    team = replies.text("Kitchen", description="Empty if an imported text doesn't name a team")
    item = replies.text("HAND WARMER UNION JACK")
    amount = replies.number(79, description="Signed if the event is Other")
    site = replies.text("main", lambda row: row.site or rules.DASH)


class EntryReply(GpmEntryReply):
    """A line of GFM's history; prices are in pounds."""

    unit_price = replies.pounds(2.1)
    total_price = replies.pounds(6.3)


def entry_json(line: HistoryLine, *, with_prices: bool) -> dict[str, Any]:
    """Return a line of history as JSON; prices are in pounds."""
    id_, at, kind, _, team, item, amount, unit_price, total_price, site, is_imported = line
    entry = {
        "id": id_,
        "date": f"{at.isoformat(timespec='seconds')}Z",
        "event": rules.EVENT_BY_KIND[kind],
        "team": rules.display_team(team, is_imported=is_imported),
        "item": item,
        "amount": amount,
        "site": site or rules.DASH,
    }
    if with_prices:
        entry |= {PRICE: unit_price / 100, "totalPrice": total_price / 100}
    return entry


_REQUIRED = ("date", "event", "team", "item", "amount")
_OPTIONAL = (PRICE, "totalPrice", "site")
HISTORY_COLUMNS = (*_REQUIRED, *_OPTIONAL)
GPM_COLUMNS = (*_REQUIRED, "site")

# The text of an event is stored as the reason of its entry.
_EVENT = replace(REASON, what="Event")

_NO_TIME = datetime.min.replace(tzinfo=UTC)
_DELTA = "delta"
HISTORY_ALIASES = {
    "ts": "date",
    "action": "event",
    "qty": "amount",
    _DELTA: "amount",
    "location": "site",
    "summary.item": "item",
    "numberPlate": "item",
}


def history_entries(file: Path) -> Entries:
    """Return the entries of a JSON file of old history. Raises FileErrors."""
    return Entries(file, _REQUIRED, _OPTIONAL, aliases=HISTORY_ALIASES, flatten=_plain_entry)


def read_history(table: Rows, division: Division) -> PastHistory:
    """Read a division's old history; raises FileErrors with all errors."""
    parse_site = _remembered(_site_parser(division))
    infer_site = _remembered(lambda text: rules.infer_site(text, division))
    lines = [_parse_entry(cells, parse_site, infer_site) for cells in table]
    table.check()
    return PastHistory(lines, *map(table.has, _OPTIONAL))


def display_cells(division: Division, lines: Iterable[HistoryLine]) -> Iterator[Sequence[object]]:
    """Yield the cells of the pages' exports; commas in texts become semicolons."""
    has_prices = division is Division.GFM
    for _, at, kind, _, team, item, amount, price, total, site, is_imported in lines:
        yield (
            dates.utc_as_local_time(at),
            rules.EVENT_BY_KIND[kind],
            _team_cell(team, is_imported),
            _display_text(item),
            amount,
            *((money.plain_pounds(price), money.plain_pounds(total)) if has_prices else ()),
            site or rules.DASH,
        )


@lru_cache(maxsize=4096)
def _team_cell(team: str, is_imported: bool) -> str:
    return _display_text(rules.display_team(team, is_imported=is_imported))


def _display_text(text: str) -> str:
    return escape(text.replace(",", ";"))


@lru_cache(maxsize=4096)
def _event_text(kind: str, reason: str) -> str:
    """Return the reason if it says more than the event and an import can read the event from it."""
    event = rules.EVENT_BY_KIND[kind]
    has_more = reason and names.key(reason) != names.key(event)
    return reason if has_more and rules.parse_event(reason) is event else event.value


_AT = Moment(label="Date", to_text=lambda at: dates.utc_as_local_time(at.replace(tzinfo=None)))
_AMOUNT = WholeNumber(label="Amount", minimum=-money.MAX_AMOUNT)

HISTORY_FILE: Sequence[Column[HistoryLine]] = [
    Column("date", attrgetter("at"), field=_AT),
    Column("event", lambda line: _event_text(line.kind, line.reason)),
    Column("team", attrgetter("team")),
    Column("item", attrgetter("item")),
    Column("amount", attrgetter("amount"), field=_AMOUNT),
    Column(PRICE, attrgetter("unit_price"), field=UNIT_PRICE),
    Column("totalPrice", attrgetter("total_price"), field=Pounds(label="Total price")),
    Column("site", lambda line: line.site or rules.DASH),
]
"""The columns of the command's file, with exact texts."""


_remembered = lru_cache(maxsize=8192)
"""Parse each text of a file once, since most recur."""


def _plain_entry(entry: Entry) -> Entry:
    """Return an entry of JSON without its ids, and without values repeated by another field."""
    plain = {name: value for name, value in entry.items() if name not in ("id", "_id", "summary")}
    if isinstance(entry.get("summary"), dict) and entry["summary"].get("item"):
        plain["summary.item"] = entry["summary"]["item"]
    if plain.get("item") or plain.get("summary.item"):
        plain.pop("numberPlate", None)
    delta = plain.get(_DELTA)
    if isinstance(delta, int):
        repeated = [name for name in ("amount", "qty") if plain.get(name) in (delta, -delta)]
        for name in repeated:
            del plain[name]
    return plain


def _parse_entry(
    cells: Cells, parse_site: Callable[[str], str | None], infer_site: Callable[[str], str]
) -> PastEntry:
    text: str = cells.read("event", _parse_text, "")
    amount: int = cells.read("amount", _parse_amount, 0)
    is_signed = cells.name_of("amount").casefold() == _DELTA
    event, detail = _parse_event(text, (amount > 0) - (amount < 0) if is_signed else None)
    if is_signed and event is not HistoryEvent.OTHER:
        amount = abs(amount)
    site: str | None = cells.read("site", parse_site, None)
    if amount < 0 and event is not HistoryEvent.OTHER:
        cells.refuse("amount", f"Amount must be 0 or more for a {event}")
    return PastEntry(
        at=cells.read("date", _parse_at, _NO_TIME),
        event=event,
        detail=detail,
        team=cells.read("team", _parse_team, ""),
        item=cells.read("item", parse_name, ""),
        amount=amount,
        unit_price=cells.read(PRICE, parse_price, 0),
        total_price=cells.read("totalPrice", _parse_total, None),
        site=infer_site(text) if site is None else site,
        row=cells.line,
    )


_parse_at = _remembered(dates.parse_moment)  # An empty one is refused, too.
_parse_text, _parse_team = cell_reader(_EVENT), cell_reader(TEAM)
_parse_total = _remembered(lambda text: money.parse_total(text) if text.strip() else None)


@_remembered
def _parse_event(text: str, sign: int | None) -> tuple[HistoryEvent, str]:
    event = rules.parse_event(text, sign)
    return event, "" if names.key(text) == names.key(event) else text


@_remembered
def _parse_amount(text: str) -> int:
    amount = money.parse_whole_number(text)
    if abs(amount) > money.MAX_AMOUNT:
        raise Invalid(f"Amount must be at most {money.format_number(money.MAX_AMOUNT)}")
    return amount


def _site_parser(division: Division) -> Callable[[str], str | None]:
    def parse(text: str) -> str | None:
        site = names.key(text)
        if not site:
            return None
        if site in list(Site):
            return site
        if division is Division.GFM:
            choices = ", ".join(SITES[division])
            raise Invalid(f'GFM has no site "{text.strip()[:40]}"; it has: {choices}')
        return rules.UNKNOWN_SITE if site in ("-", rules.DASH) else rules.OTHER_SITE

    return parse
