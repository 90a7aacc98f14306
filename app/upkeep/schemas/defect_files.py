"""Defects as CSV files."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from app import dates
from app.records.record import Column
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.queries.defect_list import SeenAgain
from app.upkeep.rules import defect_fields as own

DefectRow = tuple[Any, SeenAgain, Mapping[int | None, str]]
"""The columns of a defect, how often it was seen, and usernames."""


def _of_defect(name: str, attribute: str = "") -> Column[DefectRow]:
    read = attrgetter(attribute or name)
    return Column(name, lambda row: read(row[0]))


def _user(name: str, attribute: str) -> Column[DefectRow]:
    read = attrgetter(attribute)
    return Column(name, lambda row: row[2][read(row[0])])


DEFECT_FILE: Sequence[Column[DefectRow]] = (
    Column("number", lambda row: ReferenceNumber(Series.DEFECT, row[0].number)),
    _of_defect("reg"),
    _of_defect("part"),
    _of_defect("title"),
    _of_defect("detail"),
    Column("severity", lambda row: own.SEVERITY.show(row[0].severity)),
    Column("state", lambda row: row[0].state.label),
    _of_defect("since", "day"),
    _of_defect("odometer"),
    _user("reportedBy", "reported_by"),
    Column("timesSeen", lambda row: row[1].times),
    Column("lastSeen", lambda row: row[1].last_seen(row[0].day)),
    _user("assessedBy", "assessed_by"),
    _of_defect("garage"),
    _of_defect("bookedFor", "booked_for"),
    Column("closing", lambda row: row[0].closing.label if row[0].closing else ""),
    _of_defect("closingReason", "closing_reason"),
    _of_defect("acceptedUntil", "accepted_until"),
    _user("closedBy", "closed_by"),
    Column(
        "closedAt",
        lambda row: dates.format_local_time(row[0].closed_at) if row[0].closed_at else "",
    ),
)
