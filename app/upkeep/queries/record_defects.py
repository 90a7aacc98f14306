"""The defects of a vehicle's record: who reported, saw, assessed and closed them.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from sqlalchemy import select
from sqlalchemy.orm import aliased

from app import dates
from app.fleet.rules.findings import SightingAnswer
from app.reference_numbers import Series
from app.upkeep.models.defects import Defect, DefectNote, DefectSighting
from app.upkeep.queries.record_reader import RecordReader, defect_reference
from app.upkeep.rules.defects import severity_label, urgency
from app.upkeep.rules.kinds import Closing
from app.upkeep.rules.record import RecordEntry, RecordKind, sentences

SIGHTINGS = {
    SightingAnswer.YES: "Still there",
    SightingAnswer.WORSE: "Worse",
    SightingAnswer.ABSENT: "Gone",
}

_DEFECTS = select(*Defect.__table__.columns)
_OF_DEFECT = select(Defect.reg, Defect.reg_key, Defect.number, Defect.title)


def open_defects(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the open defects with how each stands, the worst of a vehicle first."""
    statement = _DEFECTS.where(*reader.of_vehicle(Defect.reg_key), Defect.closed_at.is_(None))
    found = reader.rows(statement.order_by(Defect.reg_key, Defect.part_key))
    for _, rows in groupby(found, key=attrgetter("reg_key")):
        for row in sorted(rows, key=lambda row: (-urgency(row.severity), row.day, row.id)):
            garage = f" at {row.garage}" if row.garage else ""
            on = f" on {dates.format_day(row.booked_for)}" if row.booked_for else ""
            yield RecordEntry(
                reg=row.reg,
                reg_key=row.reg_key,
                day=row.day,
                kind=RecordKind.OPEN,
                reference=defect_reference(row.number),
                title=row.title,
                outcome=f"{severity_label(row.severity)}, {row.state.label.lower()}",
                detail=sentences(f"Booked in{garage}{on}" if garage or on else ""),
                who=reader.who(row.reported_by),
            )


def defects(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the defects that were open on any of the days."""
    for row, entry in reader.happened(
        _DEFECTS,
        Defect.day,
        by=Defect.reported_by,
        series=Series.DEFECT,
        recorded_at=Defect.reported_at,
        ended=Defect.closed_at,
    ):
        # The reported severity isn't kept once somebody has assessed it.
        origin = ", as assessed" if row.assessed_at else ""
        yield entry(
            kind=RecordKind.DEFECT,
            title=row.title,
            outcome=f"{severity_label(row.severity)}{origin}",
            detail=sentences(row.detail, f"Check {row.check_id}" if row.check_id else ""),
            miles=row.odometer,
        )


def assessments(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the last assessment of each defect."""
    for row, entry in reader.happened(
        _DEFECTS, Defect.assessed_at, by=Defect.assessed_by, series=Series.DEFECT
    ):
        yield entry(
            kind=RecordKind.ASSESSMENT,
            title=row.title,
            outcome=severity_label(row.severity),
        )


def closings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the sign-offs and other closings of defects."""
    original = aliased(Defect)
    statement = _DEFECTS.add_columns(original.number.label("original")).outerjoin(
        original, original.id == Defect.duplicate_of_id
    )
    for row, entry in reader.happened(
        statement, Defect.closed_at, by=Defect.closed_by, series=Series.DEFECT
    ):
        is_signed = row.closing is Closing.REPAIRED
        yield entry(
            kind=RecordKind.SIGN_OFF if is_signed else RecordKind.CLOSING,
            title=row.title,
            outcome=row.closing.label,
            detail=sentences(
                row.closing_reason,
                f"Same as {defect_reference(row.original)}" if row.original else "",
                f"Until {dates.format_day(row.accepted_until)}" if row.accepted_until else "",
            ),
        )


def sightings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield who saw defects again."""
    for row, entry in reader.happened(
        _OF_DEFECT.add_columns(*DefectSighting.__table__.columns).join(
            DefectSighting, DefectSighting.defect_id == Defect.id
        ),
        DefectSighting.day,
        key=Defect.reg_key,
        by=DefectSighting.seen_by,
        series=Series.DEFECT,
        recorded_at=DefectSighting.recorded_at,
    ):
        answer = "Seen before it was mended" if row.is_before_repair else SIGHTINGS[row.answer]
        yield entry(
            kind=RecordKind.SIGHTING,
            title=row.title,
            outcome=f"{answer}: {severity_label(row.severity)}" if row.severity else answer,
            detail=sentences(row.detail, f"Check {row.check_id}" if row.check_id else ""),
        )


def notes(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the notes on defects."""
    statement = _OF_DEFECT.add_columns(*DefectNote.__table__.columns).join(
        DefectNote, DefectNote.defect_id == Defect.id
    )
    for row, entry in reader.happened(
        statement,
        DefectNote.noted_at,
        key=Defect.reg_key,
        by=DefectNote.noted_by,
        series=Series.DEFECT,
    ):
        yield entry(
            kind=RecordKind.NOTE,
            title=row.title,
            detail=row.text,
        )


SOURCES = (open_defects, defects, sightings, assessments, notes, closings)
