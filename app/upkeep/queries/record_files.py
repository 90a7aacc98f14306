"""The photos and documents of a vehicle's record, by their hashes.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Select, and_, literal_column, select

from app import dates
from app.attachments.models import Attachment
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.models.repairs import Repair
from app.upkeep.queries.record_reader import (
    RecordReader,
    at,
    defect_reference,
    of_row,
    repair_reference,
)
from app.upkeep.rules.record import RecordEntry, RecordKind

_FILE_COLUMNS = (
    Attachment.name,
    Attachment.photo_hash,
    Attachment.document_hash,
    Attachment.added_by,
    Attachment.added_at,
    Attachment.removed_by,
    Attachment.removed_at,
)


def defect_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the photos and documents of defects."""
    statement = select(Defect.reg, Defect.reg_key, Defect.number, *_FILE_COLUMNS).join(
        Attachment, _is_of("defect", Defect.id)
    )
    yield from _files(reader, statement, Defect.reg_key, lambda row: defect_reference(row.number))


def repair_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the photos and documents of repairs."""
    statement = select(Repair.reg, Repair.reg_key, Repair.number, *_FILE_COLUMNS).join(
        Attachment, _is_of("repair", Repair.id)
    )
    yield from _files(reader, statement, Repair.reg_key, lambda row: repair_reference(row.number))


def done_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the papers of what was done."""
    statement = (
        select(DueItem.reg, DueItem.reg_key, DueItem.label, *_FILE_COLUMNS)
        .join(DueDone, DueDone.due_item_id == DueItem.id)
        .join(Attachment, _is_of("due_done", DueDone.id))
        .where(DueItem.reg_key.is_not(None))
    )
    yield from _files(reader, statement, DueItem.reg_key, lambda row: row.label)


def shared_done_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the papers of what was done of items that vehicles share, for each of them."""
    statement = (
        select(DueItemVehicle.reg, DueItemVehicle.reg_key, DueItem.label, *_FILE_COLUMNS)
        .join(DueItem, DueItem.id == DueItemVehicle.due_item_id)
        .join(DueDone, DueDone.due_item_id == DueItem.id)
        .join(Attachment, _is_of("due_done", DueDone.id))
    )
    yield from _files(reader, statement, DueItemVehicle.reg_key, lambda row: row.label)


SOURCES = (defect_files, repair_files, done_files, shared_done_files)


def _is_of(kind: str, subject_id: Any) -> Any:
    """Return the condition that an attachment is of a record.

    Its kind isn't looked up in an index, since SQLite would read the files of all records of it.
    """
    kind_of = Attachment.subject_kind.concat(literal_column("''"))
    return and_(kind_of == kind, Attachment.subject_id == subject_id)


def _files(
    reader: RecordReader,
    statement: Select[*tuple[Any, ...]],
    key: Any,
    reference: Callable[[Any], str],
) -> Iterator[RecordEntry]:
    where = (*reader.of_vehicle(key), reader.within(Attachment.added_at))
    ordered = statement.where(*where).order_by(key, Attachment.added_at, Attachment.id)
    for row in reader.rows(ordered):
        yield RecordEntry(
            **of_row(row),
            **at(row.added_at),
            kind=RecordKind.FILE,
            reference=reference(row),
            title=row.name or ("Photo" if row.photo_hash else "Document"),
            outcome=_removal(reader, row),
            who=reader.who(row.added_by),
            files=[row.photo_hash or row.document_hash],
        )


def _removal(reader: RecordReader, row: Any) -> str:
    """Return who removed a file since and when, '' for one that is there."""
    if row.removed_at is None:
        return ""
    who = reader.who(row.removed_by) or "the terminal"
    return f"Removed by {who} on {dates.format_day(dates.london_day(row.removed_at))}"
