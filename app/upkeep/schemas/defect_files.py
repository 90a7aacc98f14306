"""Defects as rows of CSV files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from app import dates
from app.reference_numbers import ReferenceNumber, Series
from app.tables.csv_files import escape
from app.upkeep.queries.defect_list import SeenAgain
from app.upkeep.rules import defect_texts as texts

CSV_COLUMNS = (
    "number",
    "reg",
    "part",
    "title",
    "detail",
    "severity",
    "state",
    "since",
    "odometer",
    "reportedBy",
    "timesSeen",
    "lastSeen",
    "assessedBy",
    "garage",
    "bookedFor",
    "closing",
    "closingReason",
    "acceptedUntil",
    "closedBy",
    "closedAt",
)


def csv_rows(
    rows: Iterable[tuple[Any, SeenAgain, Mapping[int | None, str]]],
) -> Iterator[Sequence[object]]:
    """Yield the cells of each defect."""
    for row, seen, users in rows:
        yield (
            str(ReferenceNumber(Series.DEFECT, row.number)),
            escape(row.reg),
            escape(row.part),
            escape(row.title),
            escape(row.detail),
            texts.severity_label(row.severity),
            row.state.label,
            row.day.isoformat(),
            row.odometer,
            escape(users[row.reported_by]),
            seen.times,
            seen.last_seen(row.day).isoformat(),
            escape(users[row.assessed_by]),
            escape(row.garage),
            row.booked_for.isoformat() if row.booked_for else "",
            row.closing.label if row.closing else "",
            escape(row.closing_reason),
            row.accepted_until.isoformat() if row.accepted_until else "",
            escape(users[row.closed_by]),
            dates.format_local_time(row.closed_at) if row.closed_at else "",
        )
