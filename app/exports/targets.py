"""The lists of each division as files, and all of them as one ZIP with a README."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import ColumnElement

from app import dates
from app.assets import acts as assets
from app.bookings.models import Booking
from app.bookings.rules import BookingKind
from app.bookings.schemas import BOOKING_LIST
from app.defects import acts as defects
from app.defects.queries.defects import all_defects
from app.defects.queries.off_road import all_times
from app.defects.schemas.defects import DEFECT_FILE
from app.defects.schemas.repairs import OFF_ROAD_FILE, REPAIR_LIST
from app.deliveries import acts as deliveries
from app.deliveries.models import Delivery
from app.deliveries.schemas import DELIVERY_LIST, WHOLE_FILE
from app.directory import acts as directory
from app.directory.queries import stream_handovers
from app.divisions import SITES, Division
from app.due import acts as due
from app.fields import Choice, Day, Flag, Lines, Moment, Pounds, Text, WholeNumber
from app.fleet import acts as fleet
from app.fleet.queries.checks import stream_checks
from app.fleet.schemas.checks import CHECK_FILE
from app.mileage import acts as mileage
from app.records.reading import read_all
from app.records.record import Column, Record, columns_at, csv_lines
from app.records.targets import ImportTarget
from app.stock import targets as stock

TARGETS: Mapping[str, ImportTarget[Any]] = {
    **stock.TARGETS,
    **deliveries.TARGETS,
    **directory.TARGETS,
    **fleet.TARGETS,
    **due.TARGETS,
    **mileage.TARGETS,
    **defects.TARGETS,
    **assets.TARGETS,
}
"""The lists that files are imported into, by their names in addresses."""


class OtherList(NamedTuple):
    """A list that isn't imported, with what a file takes of a target."""

    key: str
    label: str
    division: Division
    columns: Sequence[Column[Any]]
    current: Callable[[], Iterable[Any]]


# The page's file has the beginning of the notes, and no answers.
_CHECK_FILE = [
    *(column for column in CHECK_FILE if column.name != "notes"),
    *columns_at("notes", "form_type"),
    Column("answers", lambda check: json.dumps(check.items, ensure_ascii=False)),
]
_HANDOVER_FILE = columns_at("label", "holder", "holder_before", "at", "username")


def _rows(record: Record[Any], *scope: ColumnElement[bool]) -> Callable[[], Sequence[Any]]:
    return partial(read_all, replace(record, scope=lambda: scope))


_GPM, _FLEET = Division.GPM, Division.FLEET
_DELIVERIES = {each: _rows(DELIVERY_LIST, Delivery.division == each) for each in SITES}
_BOOKINGS = {
    Division.FLEET: _rows(BOOKING_LIST, Booking.kind == BookingKind.VEHICLE),
    Division.ASSETS: _rows(BOOKING_LIST, Booking.kind == BookingKind.ASSET),
}
_OTHERS = (
    *(
        OtherList(f"{owner}-all-deliveries", "All deliveries", owner, WHOLE_FILE, rows)
        for owner, rows in _DELIVERIES.items()
    ),
    OtherList("handovers", "Handovers of keys", _GPM, _HANDOVER_FILE, stream_handovers),
    OtherList("checks", "Checks", _FLEET, _CHECK_FILE, partial(stream_checks, ())),
    OtherList("all-defects", "All defects", _FLEET, DEFECT_FILE, partial(all_defects, ())),
    OtherList("repairs", "Repairs", _FLEET, REPAIR_LIST.columns, _rows(REPAIR_LIST)),
    OtherList("off-road", "Times off the road", _FLEET, OFF_ROAD_FILE, all_times),
    *(
        OtherList(f"{owner}-bookings", "Bookings", owner, BOOKING_LIST.columns, rows)
        for owner, rows in _BOOKINGS.items()
    ),
)


def lists_of(division: Division | None) -> Mapping[str, ImportTarget[Any] | OtherList]:
    """Return the lists of a division by their names in addresses."""
    lists: Sequence[ImportTarget[Any] | OtherList] = [*TARGETS.values(), *_OTHERS]
    return {each.key: each for each in lists if each.division is division}


class _Chunks(list[bytes]):
    """What a ZIP file is written to from end to end."""

    def write(self, data: bytes) -> int:
        self.append(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: what was written is there already."""

    close = flush


def everything(division: Division) -> Iterator[bytes]:
    """Yield the ZIP file of all lists of a division, while they are read."""
    chunks = _Chunks()
    with ZipFile(chunks, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", readme(division))
        for key, each in lists_of(division).items():
            with archive.open(f"{key}.csv", "w", force_zip64=True) as file:
                for lines in csv_lines(each.columns, each.current()):
                    file.write(lines.encode())
                    yield from chunks
                    chunks.clear()
    yield from chunks


_HEAD = """Everything of {}, as it was on {} at {}.

Each file is a list as CSV: UTF-8, with commas. A text that starts like a formula, or with ', has '
before it. Money is in pounds; a time without an offset is London's.
"""
_KINDS = {
    Text: "a text of at most {0.limit:,} characters",
    Lines: "a text of several lines with at most {0.limit:,} characters",
    WholeNumber: "a whole number from {0.minimum:,} to {0.maximum:,}",
    Pounds: "pounds, such as 2.50",
    Day: "a day, such as 2026-11-03",
    Moment: "a time, such as 2026-11-03 09:30",
    Flag: "yes or no",
    Choice: "one of: {1}",
}


def readme(division: Division) -> str:
    """Return what the files of a division hold, with each of their columns."""
    now = dates.utc_now()
    day, time = dates.format_day(dates.london_day(now)), dates.format_time(now)
    parts = [_HEAD.format(division.label, day, time)]
    for key, each in lists_of(division).items():
        again = ", can be imported again" if isinstance(each, ImportTarget) else ""
        columns = [f"  {_describe(column)}" for column in each.columns if column.value]
        parts.append("\n".join([f"{key}.csv: {each.label}{again}", *columns, ""]))
    return "\n".join(parts)


def _describe(column: Column[Any]) -> str:
    """Return a column's name and what it holds, such as 'price: Price; pounds, such as 2.50'."""
    field, about = column.field, [column.heading]
    if field:
        kind = _KINDS[type(field)].format(field, ", ".join(getattr(field, "members", ())))
        about.append(f"{kind}, never empty" if field.required else kind)
        # An empty cell is what JSON has null for.
        about.append(field.description.replace("null", "empty"))
    return ": ".join(filter(None, [column.name, "; ".join(filter(None, about))]))
