"""The defects of a vehicle's record: who reported, saw, assessed and closed them.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import aliased

from app import dates
from app.fleet.rules.findings import SightingAnswer
from app.upkeep.models.defects import Defect, DefectNote, DefectSighting
from app.upkeep.queries.record_reader import (
    RecordReader,
    at,
    defect_reference,
    of_row,
    on_day,
)
from app.upkeep.rules.defect_texts import CLOSING_LABELS, severity_label
from app.upkeep.rules.kinds import Closing
from app.upkeep.rules.record import RecordEntry, RecordKind, sentences

SIGHTINGS = {
    SightingAnswer.YES: "Still there",
    SightingAnswer.WORSE: "Worse",
    SightingAnswer.ABSENT: "Gone",
}

_OF_DEFECT = (Defect.reg, Defect.reg_key, Defect.number, Defect.title)


def defects(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the defects that were open on any of the days."""
    statement = (
        select(*Defect.__table__.columns)
        .where(
            Defect.day <= reader.filters.end,
            Defect.id.in_(reader.unended(Defect.id, Defect.reg_key, Defect.closed_at)),
        )
        .order_by(Defect.reg_key, Defect.day, Defect.id)
    )
    for row in reader.rows(statement):
        check = f"Check {row.check_id}" if row.check_id else ""
        # The severity with which it was reported isn't kept once somebody has assessed it.
        origin = ", as assessed" if row.assessed_at else ""
        yield RecordEntry(
            **of_row(row),
            **on_day(row.day, row.reported_at),
            kind=RecordKind.DEFECT,
            reference=defect_reference(row.number),
            title=row.title,
            outcome=f"{severity_label(row.severity)}{origin}",
            detail=sentences(row.detail, check),
            who=reader.who(row.reported_by),
            miles=row.odometer,
        )


def assessments(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the last assessment of each defect."""
    statement = (
        select(*Defect.__table__.columns)
        .where(*reader.of_vehicle(Defect.reg_key), reader.within(Defect.assessed_at))
        .order_by(Defect.reg_key, Defect.assessed_at, Defect.id)
    )
    for row in reader.rows(statement):
        yield RecordEntry(
            **of_row(row),
            **at(row.assessed_at),
            kind=RecordKind.ASSESSMENT,
            reference=defect_reference(row.number),
            title=row.title,
            outcome=severity_label(row.severity),
            who=reader.who(row.assessed_by),
        )


def closings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the sign-offs and other closings of defects."""
    original = aliased(Defect)
    statement = (
        select(*Defect.__table__.columns, original.number.label("original"))
        .outerjoin(original, original.id == Defect.duplicate_of_id)
        .where(*reader.of_vehicle(Defect.reg_key), reader.within(Defect.closed_at))
        .order_by(Defect.reg_key, Defect.closed_at, Defect.id)
    )
    for row in reader.rows(statement):
        is_signed = row.closing is Closing.REPAIRED
        yield RecordEntry(
            **of_row(row),
            **at(row.closed_at),
            kind=RecordKind.SIGN_OFF if is_signed else RecordKind.CLOSING,
            reference=defect_reference(row.number),
            title=row.title,
            outcome=CLOSING_LABELS[row.closing],
            detail=sentences(
                row.closing_reason,
                f"Same as {defect_reference(row.original)}" if row.original else "",
                f"Until {dates.format_day(row.accepted_until)}" if row.accepted_until else "",
            ),
            who=reader.who(row.closed_by),
        )


def sightings(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield who saw defects again."""
    statement = (
        select(*_OF_DEFECT, *DefectSighting.__table__.columns)
        .join(Defect, Defect.id == DefectSighting.defect_id)
        .where(
            *reader.of_vehicle(Defect.reg_key),
            DefectSighting.day.between(reader.filters.start, reader.filters.end),
        )
        .order_by(Defect.reg_key, DefectSighting.day, DefectSighting.id)
    )
    for row in reader.rows(statement):
        answer = "Seen before it was mended" if row.is_before_repair else SIGHTINGS[row.answer]
        yield RecordEntry(
            **of_row(row),
            **on_day(row.day, row.recorded_at),
            kind=RecordKind.SIGHTING,
            reference=defect_reference(row.number),
            title=row.title,
            outcome=f"{answer}: {severity_label(row.severity)}" if row.severity else answer,
            detail=sentences(row.detail, f"Check {row.check_id}" if row.check_id else ""),
            who=reader.who(row.seen_by),
        )


def notes(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the notes on defects."""
    statement = (
        select(*_OF_DEFECT, *DefectNote.__table__.columns)
        .join(Defect, Defect.id == DefectNote.defect_id)
        .where(*reader.of_vehicle(Defect.reg_key), reader.within(DefectNote.noted_at))
        .order_by(Defect.reg_key, DefectNote.noted_at, DefectNote.id)
    )
    for row in reader.rows(statement):
        yield RecordEntry(
            **of_row(row),
            **at(row.noted_at),
            kind=RecordKind.NOTE,
            reference=defect_reference(row.number),
            title=row.title,
            detail=row.text,
            who=reader.who(row.noted_by),
        )


SOURCES = (defects, sightings, assessments, notes, closings)
