"""What a vehicle's record has first: that it is off the road, and what is open and overdue today.

Each source reads with one statement and yields its entries by vehicle, with the day since when.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter

from sqlalchemy import select

from app import dates
from app.upkeep.models.defects import Defect
from app.upkeep.models.off_road import OffRoad
from app.upkeep.queries import due
from app.upkeep.queries.record_reader import (
    RecordFilters,
    RecordReader,
    defect_reference,
    of_row,
)
from app.upkeep.rules.defect_texts import STATE_LABELS, severity_label
from app.upkeep.rules.defects import urgency
from app.upkeep.rules.due import Terms, describe_reason
from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.off_road import REASON_LABELS
from app.upkeep.rules.record import RecordEntry, RecordKind, place, sentences


def off_road_now(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the times off the road that last."""
    statement = (
        select(*OffRoad.__table__.columns, Defect.number)
        .outerjoin(Defect, Defect.id == OffRoad.defect_id)
        .where(*reader.of_vehicle(OffRoad.reg_key), OffRoad.until.is_(None))
        .order_by(OffRoad.reg_key)
    )
    for row in reader.rows(statement):
        yield RecordEntry(
            **of_row(row),
            day=dates.london_day(row.since),
            kind=RecordKind.OPEN,
            reference=defect_reference(row.number) if row.number else "",
            title=f"Off the road: {REASON_LABELS[row.reason]}",
            outcome="Not back yet",
            detail=sentences(*row.detail.splitlines(), _on("Expected back", row.expected_back)),
            who=reader.who(row.opened_by),
        )


def open_defects(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the open defects with how each stands, the worst of a vehicle first."""
    statement = (
        select(*Defect.__table__.columns)
        .where(*reader.of_vehicle(Defect.reg_key), Defect.closed_at.is_(None))
        .order_by(Defect.reg_key, Defect.part_key)
    )
    for _, rows in groupby(reader.rows(statement), key=attrgetter("reg_key")):
        for row in sorted(rows, key=lambda row: (-urgency(row.severity), row.day, row.id)):
            state = STATE_LABELS[row.state]
            yield RecordEntry(
                **of_row(row),
                day=row.day,
                kind=RecordKind.OPEN,
                reference=defect_reference(row.number),
                title=row.title,
                outcome=f"{severity_label(row.severity)}, {state.lower()}",
                detail=sentences(_on("Booked in", row.booked_for, row.garage)),
                who=reader.who(row.reported_by),
            )


SOURCES = (off_road_now, open_defects)


def overdue(filters: RecordFilters) -> Sequence[RecordEntry]:
    """Return the overdue items, those that vehicles share for each of them."""
    today = filters.end
    rows = due.items_of([filters.reg_key], today) if filters.reg_key else due.open_items(today)
    entries = [
        RecordEntry(
            reg=reg,
            reg_key=key,
            day=_due_day(row.terms, today) or today,
            kind=RecordKind.OPEN,
            title=row.terms.label,
            outcome="Overdue",
            detail=sentences(
                _ran_out(row.terms, today), describe_reason(row.terms, row.standing, today)
            ),
        )
        for row in rows
        if row.standing.is_overdue
        for key, reg in row.vehicles.items()
        if (not filters.reg_key or key == filters.reg_key) and key >= filters.first_key
    ]
    return sorted(entries, key=place)


def _due_day(terms: Terms, today: date) -> date | None:
    """Return the day on which an item was due, None for one that is overdue by its miles."""
    return terms.due_on if terms.due_on and terms.due_on < today else None


def _ran_out(terms: Terms, today: date) -> str:
    what = "Ran out" if KINDS[terms.kind].runs_out else "Was due"
    return _on(what, _due_day(terms, today))


def _on(what: str, day: date | None, garage: str = "") -> str:
    """Return what happens where on a day, '' without both."""
    texts = (f"at {garage}" if garage else "", f"on {dates.format_day(day)}" if day else "")
    found = " ".join(filter(None, texts))
    return f"{what} {found}" if found else ""
