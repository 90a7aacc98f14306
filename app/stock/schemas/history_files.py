"""History as files hold it, under the seed's field names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app import dates, money, names
from app.divisions import SITES, Division, Site
from app.errors import Invalid
from app.stock.queries.history import HistoryRow
from app.stock.rules import history as rules
from app.stock.rules.history import Event
from app.stock.rules.operations import LONGEST_REASON, LONGEST_TEAM
from app.stock.schemas.files import parse_name
from app.stock.services.history import Known, PastMovement
from app.tables.csv_files import Cells, Table, escape, text_of
from app.tables.json_files import Entries, Entry

_REQUIRED = ("date", "event", "team", "item", "amount")
_OPTIONAL = ("unitPrice", "totalPrice", "site")
HISTORY_COLUMNS = (*_REQUIRED, *_OPTIONAL)
GPM_COLUMNS = (*_REQUIRED, "site")

_DELTA = "delta"
_ALIASES = {
    "ts": "date",
    "action": "event",
    "qty": "amount",
    _DELTA: "amount",
    "location": "site",
    "summary.item": "item",
    "numberPlate": "item",
}
"""The other names that old histories have (seed §3)."""


@dataclass(frozen=True)
class HistoryFile:
    """The rows of a file, and which of the optional values they have."""

    rows: Sequence[PastMovement]
    known: Known


def read_history(file: Path, division: Division) -> HistoryFile:
    """Return what a history file of a division holds: CSV, or JSON as calls write it.

    Raises FileErrors that names every row and column that is wrong.
    """
    is_json = file.suffix.casefold() == ".json"
    table = (
        Entries(file, _REQUIRED, _OPTIONAL, aliases=_ALIASES, flatten=_plain)
        if is_json
        else Table(file, _REQUIRED, _OPTIONAL, aliases=_ALIASES)
    )
    read = _remembered(division)
    rows = [_movement(cells, division, read) for cells in table]
    table.check()
    known = Known(table.has("unitPrice"), table.has("totalPrice"), table.has("site"))
    return HistoryFile(rows, known)


def write_history(rows: Iterable[HistoryRow]) -> Iterator[Sequence[str]]:
    """Yield the cells of each row, its texts exact (the commands' export)."""
    for row in rows:
        yield (
            dates.format_local_time(row.at),
            escape(_event_text(row)),
            escape(row.team_found),
            escape(row.item),
            str(row.amount),
            money.plain_pounds(row.unit_price),
            money.plain_pounds(row.total_price),
            row.site or rules.DASH,
        )


def shown_history(division: Division, rows: Iterable[HistoryRow]) -> Iterator[Sequence[str]]:
    """Yield the cells of each row as the screens' exports have them: ; for , in texts (seed §7)."""
    for row in rows:
        start = (
            dates.format_local_time(row.at),
            row.event.value,
            escape(row.team.replace(",", ";")),
            escape(row.item.replace(",", ";")),
            str(row.amount),
        )
        prices = (money.plain_pounds(row.unit_price), money.plain_pounds(row.total_price))
        yield (*start, *(prices if division is Division.GFM else ()), row.site or rules.DASH)


def _event_text(row: HistoryRow) -> str:
    """Return the text that reads back as the row's event, the fullest there is."""
    says_as_much = row.detail and rules.normalise_event(row.detail) is row.event
    return row.detail if says_as_much else row.event.value


def _remembered(division: Division) -> Callable[[Cells, str, Any], Any]:
    """Return a reader of cells that parses each of a column's texts once: most come again."""
    parsers: dict[str, Callable[[str], Any]] = {
        "date": dates.parse_moment,
        "event": text_of("Event", LONGEST_REASON),
        "team": text_of("Team", LONGEST_TEAM),
        "item": parse_name,
        "amount": _amount,
        "unitPrice": lambda text: money.parse_pounds(text or "0"),
        "totalPrice": _total,
        "site": _site(division),
    }
    known: dict[tuple[str, str], Any] = {}

    def read(cells: Cells, column: str, default: Any) -> Any:
        def parse(text: str) -> Any:
            if (column, text) not in known:
                known[column, text] = parsers[column](text)
            return known[column, text]

        return cells.read(column, parse, default)

    return read


def _plain(entry: Entry) -> Entry:
    """Return an entry of JSON without what isn't read: ids, and values that another one has."""
    read = {name: value for name, value in entry.items() if name not in ("id", "_id", "summary")}
    if isinstance(entry.get("summary"), dict) and entry["summary"].get("item"):
        read["summary.item"] = entry["summary"]["item"]
    if read.get("item") or read.get("summary.item"):
        read.pop("numberPlate", None)
    delta = read.get(_DELTA)
    if isinstance(delta, int):
        same = [name for name in ("amount", "qty") if read.get(name) in (delta, -delta)]
        for name in same:
            del read[name]
    return read


def _movement(
    cells: Cells, division: Division, read: Callable[[Cells, str, Any], Any]
) -> PastMovement:
    said: str = read(cells, "event", "")
    amount: int = read(cells, "amount", 0)
    is_signed = cells.name_of("amount") == _DELTA
    event = rules.normalise_event(said, amount if is_signed else None)
    if is_signed and event is not Event.OTHER:
        amount = abs(amount)
    site: str | None = read(cells, "site", None)
    if amount < 0 and event is not Event.OTHER:
        cells.refuse("amount", f"Amount must be 0 or more for a {event}")
    return PastMovement(
        at=read(cells, "date", datetime.min.replace(tzinfo=UTC)),
        event=event,
        detail="" if names.key(said) == names.key(event) else said,
        team=read(cells, "team", ""),
        item=read(cells, "item", ""),
        amount=amount,
        unit_price=read(cells, "unitPrice", 0),
        total_price=read(cells, "totalPrice", None),
        site=rules.infer_site(said, division) if site is None else site,
    )


def _amount(text: str) -> int:
    amount = money.parse_whole_number(text)
    if abs(amount) > money.MAX_AMOUNT:
        raise Invalid(f"Amount must be at most {money.format_number(money.MAX_AMOUNT)}")
    return amount


def _total(text: str) -> int | None:
    return money.parse_total(text) if text.strip() else None


def _site(division: Division) -> Callable[[str], str | None]:
    def parse(text: str) -> str | None:
        said = names.key(text)
        if not said:
            return None
        if said in list(Site):
            return said
        if division is Division.GFM:
            known = ", ".join(SITES[division])
            raise Invalid(f'GFM has no site "{text.strip()[:40]}"; it has: {known}')
        return rules.UNKNOWN_SITE if said in ("-", rules.DASH) else rules.OTHER_SITE

    return parse
