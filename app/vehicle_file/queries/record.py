"""Reads a vehicle's maintenance file."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial
from heapq import merge
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

from sqlalchemy import and_, func, literal_column, select

from app import dates
from app.accounts.models import User
from app.attachments.models import Attachment
from app.bookings.models import Booking
from app.bookings.rules import BookingKind
from app.db import db
from app.defects.models import Defect, Repair
from app.due.models import DueDone, DueItem
from app.due.queries.due import of_vehicles
from app.fleet.models import Check, CheckPhoto, Vehicle
from app.fleet.queries.check_form import check_templates
from app.fleet.queries.vehicles import IN_LISTS, vehicles_on_record
from app.fleet.rules.check_answers import driver_name
from app.fleet.rules.checks import labelled_values
from app.fleet.rules.vehicles import CHECK_TEMPLATES, CHECKS, UPKEEP
from app.reference_numbers import Series
from app.vehicle_file import rules
from app.vehicle_file.queries import done, sources
from app.vehicle_file.queries.reader import (
    RecordFilters,
    RecordReader,
    RecordSource,
    Statement,
    Values,
    entry,
    on_day,
    together,
)
from app.vehicle_file.rules import RecordEntry, RecordKind, place, sentences

_MADE = func.coalesce(Check.made_at, Check.submitted_at).label("made")

_OF_CHECK = (
    *(Check.id, Check.reg, Check.reg_key, Check.day, Check.odometer, Check.items, Check.notes),
    *(Check.form_type, Check.form_label, Check.outcome, Check.outcome_text, Check.drive_reason),
    Check.submitted_by,
    *(Check.reviewed_by, Check.reviewed_at, Check.remark),
)


_selected_checks = cache(
    RecordSource(
        select(*_OF_CHECK, _MADE, CheckPhoto.photo_hash)
        .select_from(Check)
        .outerjoin(CheckPhoto, CheckPhoto.check_id == Check.id)
        .order_by(Check.reg_key, Check.day, Check.id, CheckPhoto.position),
        Check.day,
        by=Check.submitted_by,
    ).selected
)


def _checks(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the checks, each by its rows: one for each photo."""
    found = reader.rows(_selected_checks(reader.filters.shape))
    for check_id, rows in groupby(found, key=itemgetter(0)):
        row, *more = rows
        # As names, since attributes of rows would take half of the time.
        _, reg, reg_key, day, miles, items, notes, form_type, form_label, *values = row
        outcome, text, reason, by, reviewed_by, reviewed_at, remark, made, photo = values
        is_later = dates.london_day(made) != day
        answers = labelled_values(items, reader.templates.get(form_type), notes)
        yield RecordEntry(
            reg=reg,
            reg_key=reg_key,
            day=day,
            kind=RecordKind.CHECK,
            at=None if is_later else made,
            reference=str(check_id),
            title=form_label or form_type or "Check",
            outcome=outcome.label,
            detail=sentences(
                text,
                reason.sentence if reason else "",
                notes,
                f"Sent{on_day(made)} at {dates.format_time(made)}" if is_later else "",
                f"Reviewed by {reader.who(reviewed_by)}" if reviewed_at else "",
                remark,
            ),
            answers="; ".join([f"{label}: {answer}" for label, answer in answers]),
            who=reader.who(by),
            name=driver_name(items),
            miles=miles,
            files=[photo, *(each.photo_hash for each in more)] if photo else [],
        )


def _files_of(
    statement: Statement, subject: type[Any], key: Any, series: Series | None = None
) -> RecordSource:
    """Return the source of subjects' photos and documents; without a series a label names them."""
    # The kind isn't looked up in an index, since SQLite would read the files of all records of it.
    kind_of = Attachment.subject_kind.concat(literal_column("''"))
    is_of = and_(kind_of == subject.__tablename__, Attachment.subject_id == subject.id)
    files = statement.add_columns(*Attachment.__table__.columns).join(Attachment, is_of)

    def file(row: Any, reader: RecordReader) -> Values:
        who = reader.who(row.removed_by) or "the terminal"
        return entry(
            RecordKind.FILE,
            row.name or ("Photo" if row.photo_hash else "Document"),
            f"Removed by {who}{on_day(row.removed_at)}" if row.removed_at else "",
            files=[row.photo_hash or row.document_hash],
        ) | ({} if series else {"reference": row.label})

    by = Attachment.added_by
    return RecordSource(files, Attachment.added_at, by=by, key=key, series=series)(file)


_DONE_ON = select(DueItem.label).join(DueDone, DueDone.due_item_id == DueItem.id)

_others = together(
    (
        *sources.SOURCES,
        *done.SOURCES,
        *(
            _files_of(
                select(row.reg, row.reg_key, row.number).select_from(row), row, row.reg_key, series
            )
            for row, series in ((Defect, Series.DEFECT), (Repair, Series.REPAIR))
        ),
        *(_files_of(statement, DueDone, key) for statement, _, key in of_vehicles(_DONE_ON)),
    )
)

VERSIONS = (CHECK_TEMPLATES, CHECKS, UPKEEP)


RecordPlace = tuple[str, date, int]
"""The place of an entry in a record: its vehicle, day and number on it; see `rules.place`."""


def placed_entries(
    filters: RecordFilters, after: RecordPlace | None = None
) -> Iterator[tuple[RecordPlace, RecordEntry]]:
    """Stream a record's entries with their places, those after a place if one is given."""
    if after is not None:
        filters = replace(filters, first_key=after[0])
    placed = (
        ((*at, number), found)
        for at, entries in groupby(record_entries(filters), key=place)
        for number, found in enumerate(entries)
    )
    return (row for row in placed if after is None or row[0] > after)


def record_entries(filters: RecordFilters) -> Iterator[RecordEntry]:
    """Stream a record's entries by few statements, also after the request in its connection."""
    accounts = db.session.execute(select(User.id, User.username))
    users: dict[int | None, str] = {row.id: row.username for row in accounts}
    templates = {template.key: template for template in check_templates()}
    overdue = done.overdue(filters)
    engine = db.engine

    def entries() -> Iterator[RecordEntry]:
        with engine.connect() as connection:
            reader = RecordReader(connection, filters, users, templates)
            found = (read(reader) for read in (_others, sources.open_defects, _checks))
            # Of equal places the first one's entries are first: off the road, defects, overdue.
            in_order = merge(*found, iter(overdue), key=place)
            days = (sorted(day, key=rules.moment) for _, day in groupby(in_order, key=place))
            yield from _with_nothing_open(chain.from_iterable(days), reader)

    return entries()


def _with_nothing_open(
    entries: Iterator[RecordEntry], reader: RecordReader
) -> Iterator[RecordEntry]:
    """Yield the entries, with one for each vehicle, or for a listed one, without anything open."""
    filters, kind = reader.filters, RecordKind.NOTHING_OPEN
    nothing_open = partial(RecordEntry, day=filters.end, kind=kind, title=rules.NOTHING_OPEN)
    last = None
    for each in entries:
        if each.reg_key != last and each.kind is not RecordKind.OPEN:
            yield nothing_open(reg=each.reg, reg_key=each.reg_key)
        last = each.reg_key
        yield each
    if last is None and filters.reg_key:
        listed = select(Vehicle.reg).where(IN_LISTS, Vehicle.reg_key == filters.reg_key)
        for (reg,) in islice(reader.rows(listed.order_by(Vehicle.id)), 1):
            yield nothing_open(reg=reg, reg_key=filters.reg_key)


def vehicles_with_rows() -> Sequence[str]:
    """Return the keys of all registrations with records or bookings."""
    booked = select(Booking.subject_key).where(Booking.kind == BookingKind.VEHICLE).distinct()
    return sorted({*vehicles_on_record(), *db.session.execute(booked).scalars()})


def listed_vehicle(reg_key: str) -> Vehicle | None:
    """Return the vehicle of a registration that is in a list, None if it left or never was."""
    statement = select(Vehicle).filter_by(reg_key=reg_key).order_by(Vehicle.id).limit(1)
    return db.session.execute(statement).scalar_one_or_none()
