"""Reads a vehicle's maintenance file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import merge
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, literal_column, select

from app import dates
from app.accounts.models import User
from app.attachments.models import Attachment
from app.db import db
from app.defects.models import Defect, Repair
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.fleet.models import Check, CheckPhoto, Vehicle
from app.fleet.queries.check_form import check_templates
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.checks import labelled_values
from app.fleet.rules.templates import Template
from app.fleet.rules.vehicles import CHECK_TEMPLATES, CHECKS, UPKEEP
from app.reference_numbers import Series
from app.vehicle_file.queries import done as record_done
from app.vehicle_file.queries import sources as record_sources
from app.vehicle_file.queries.reader import (
    Entry,
    Read,
    RecordFilters,
    RecordReader,
    RecordSource,
    Statement,
    on_day,
)
from app.vehicle_file.rules.record import (
    NOTHING_OPEN,
    RecordEntry,
    RecordKind,
    moment,
    place,
    sentences,
)
from app.versions import versions_of


def _files(
    statement: Statement, subject_kind: str, subject_id: Any, key: Any, series: Series | None = None
) -> Read:
    """Return the source of the photos and documents of some subjects."""
    # The kind isn't looked up in an index, since SQLite would read the files of all records of it.
    kind_of = Attachment.subject_kind.concat(literal_column("''"))
    files = statement.add_columns(*Attachment.__table__.columns).join(
        Attachment, and_(kind_of == subject_kind, Attachment.subject_id == subject_id)
    )
    return RecordSource(files, Attachment.added_at, by=Attachment.added_by, key=key, series=series)(
        _file
    )


def _file(row: Any, entry: Entry) -> RecordEntry:
    removed = ""
    if row.removed_at is not None:
        who = entry.reader.who(row.removed_by) or "the terminal"
        removed = f"Removed by {who}{on_day(row.removed_at)}"
    title = row.name or ("Photo" if row.photo_hash else "Document")
    found = entry(RecordKind.FILE, title, removed, files=[row.photo_hash or row.document_hash])
    return found if entry.source.series else replace(found, reference=row.label)


_DONE_ON = select(DueItem.label).join(DueDone, DueDone.due_item_id == DueItem.id)

SOURCES = (
    *record_sources.SOURCES,
    *record_done.SOURCES,
    _files(
        select(Defect.reg, Defect.reg_key, Defect.number).select_from(Defect),
        "defect",
        Defect.id,
        Defect.reg_key,
        Series.DEFECT,
    ),
    _files(
        select(Repair.reg, Repair.reg_key, Repair.number).select_from(Repair),
        "repair",
        Repair.id,
        Repair.reg_key,
        Series.REPAIR,
    ),
    _files(
        _DONE_ON.add_columns(DueItem.reg, DueItem.reg_key).where(DueItem.reg_key.is_not(None)),
        "due_done",
        DueDone.id,
        DueItem.reg_key,
    ),
    _files(
        _DONE_ON.add_columns(DueItemVehicle.reg, DueItemVehicle.reg_key).join(
            DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id
        ),
        "due_done",
        DueDone.id,
        DueItemVehicle.reg_key,
    ),
)

VERSIONS = (CHECK_TEMPLATES, CHECKS, UPKEEP)
"""The names of the data versions that a record depends on."""


@dataclass(frozen=True, order=True)
class RecordPlace:
    """The place of an entry in a record: it is the `number`-th of a vehicle's day.

    Entries that are open today come before all days.
    """

    reg_key: str
    day: date
    number: int


def data_versions() -> Sequence[int]:
    """Return the data versions that a record depends on."""
    return versions_of(VERSIONS)


def entries_after(
    filters: RecordFilters, after: RecordPlace | None, limit: int
) -> Sequence[tuple[RecordPlace, RecordEntry]]:
    """Return up to `limit` entries after a place, from the start for None."""
    if after is not None:
        filters = replace(filters, first_key=after.reg_key)
    placed = placed_entries(filters)
    return list(islice((row for row in placed if after is None or row[0] > after), limit))


def placed_entries(filters: RecordFilters) -> Iterator[tuple[RecordPlace, RecordEntry]]:
    """Stream a record's entries with their places."""
    days = groupby(record_entries(filters), key=place)
    return (
        (RecordPlace(reg_key, day, number), entry)
        for (reg_key, day), entries in days
        for number, entry in enumerate(entries)
    )


def record_entries(filters: RecordFilters) -> Iterator[RecordEntry]:
    """Stream a record's entries, in constant memory and by a constant number of statements.

    It reads in a connection of its own, which outlives the request while its reply is sent.
    """
    accounts = db.session.execute(select(User.id, User.username))
    users: dict[int | None, str] = {row.id: row.username for row in accounts}
    templates = {template.key: template for template in check_templates()}
    overdue = record_done.overdue(filters)
    plate = stored_plate(filters.reg_key) if filters.reg_key else None
    engine = db.engine

    def entries() -> Iterator[RecordEntry]:
        with engine.connect() as connection:
            reader = RecordReader(connection, filters, users)
            found = (source(reader) for source in SOURCES)
            # Of equal places the first one's entries are first: off the road, defects, overdue.
            merged = merge(*found, iter(overdue), _checks(reader, templates), key=place)
            yield from _with_nothing_open(_in_order(merged), filters, plate)

    return entries()


def _in_order(entries: Iterator[RecordEntry]) -> Iterator[RecordEntry]:
    for _, day in groupby(entries, key=place):
        yield from sorted(day, key=moment)


def _with_nothing_open(
    entries: Iterator[RecordEntry], filters: RecordFilters, plate: str | None
) -> Iterator[RecordEntry]:
    """Yield the entries, with one for each vehicle without anything open that says so.

    `plate` is the registration of a listed vehicle without other entries.
    """
    last = None
    for entry in entries:
        if entry.reg_key != last and entry.kind is not RecordKind.OPEN:
            yield _nothing_open(entry.reg, entry.reg_key, filters)
        last = entry.reg_key
        yield entry
    if last is None and plate:
        yield _nothing_open(plate, filters.reg_key, filters)


def _nothing_open(reg: str, reg_key: str, filters: RecordFilters) -> RecordEntry:
    return RecordEntry(
        reg=reg,
        reg_key=reg_key,
        day=filters.end,
        kind=RecordKind.NOTHING_OPEN,
        title=NOTHING_OPEN,
    )


def listed_vehicle(reg_key: str) -> Vehicle | None:
    """Return the vehicle of a registration that is in a list, None if it left or never was."""
    statement = select(Vehicle).filter_by(reg_key=reg_key).order_by(Vehicle.id).limit(1)
    return db.session.execute(statement).scalar_one_or_none()


def _checks(reader: RecordReader, templates: dict[str, Template]) -> Iterator[RecordEntry]:
    statement = select(*Check.__table__.columns, CheckPhoto.photo_hash).outerjoin(
        CheckPhoto, CheckPhoto.check_id == Check.id
    )
    ordered = reader.selected(statement, Check.day, Check.reg_key).order_by(CheckPhoto.position)
    for _, same in groupby(reader.rows(ordered), key=attrgetter("id")):
        rows = list(same)
        row = rows[0]
        answers = labelled_values(row.items, templates.get(row.form_type), row.notes)
        made_at = row.made_at or row.submitted_at
        made_on = dates.london_day(made_at)
        sent = f"Sent{on_day(made_at)} at {dates.format_time(made_at)}"
        reviewed = f"Reviewed by {reader.who(row.reviewed_by)}" if row.reviewed_at else ""
        yield RecordEntry(
            reg=row.reg,
            reg_key=row.reg_key,
            day=row.day,
            at=made_at if made_on == row.day else None,
            kind=RecordKind.CHECK,
            reference=str(row.id),
            title=row.form_label or row.form_type or "Check",
            outcome=row.outcome.label,
            detail=sentences(
                row.outcome_text,
                row.notes,
                "" if made_on == row.day else sent,
                reviewed,
                row.remark,
            ),
            answers="; ".join(": ".join(answer) for answer in answers),
            who=reader.who(row.submitted_by),
            miles=row.odometer,
            files=[each.photo_hash for each in rows if each.photo_hash],
        )
