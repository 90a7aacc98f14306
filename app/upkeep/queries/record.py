"""The record of vehicles for an examiner: all that happened, by vehicle and day."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from heapq import merge
from itertools import groupby, islice
from operator import attrgetter

from sqlalchemy import select

from app import dates
from app.accounts.models import User
from app.db import db
from app.fleet.models import Check, CheckPhoto, Vehicle
from app.fleet.queries.templates import check_templates
from app.fleet.queries.vehicles import stored_plate
from app.fleet.rules.checks import labelled_values
from app.fleet.rules.templates import Template
from app.fleet.rules.versions import CHECK_TEMPLATES, CHECKS, UPKEEP
from app.upkeep.queries import record_defects, record_done, record_files, record_sources
from app.upkeep.queries.record_reader import RecordFilters, RecordReader, on_day
from app.upkeep.rules.record import (
    NOTHING_OPEN,
    RecordEntry,
    RecordKind,
    moment,
    place,
    sentences,
)
from app.versions import versions_of

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
            sources = (
                *record_sources.SOURCES,
                *record_defects.SOURCES,
                *record_done.SOURCES,
                *record_files.SOURCES,
            )
            found = (source(reader) for source in sources)
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
    ordered = reader.selected(statement, Check.day).order_by(CheckPhoto.position)
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
