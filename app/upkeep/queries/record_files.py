"""The photos and documents of a vehicle's record, by their hashes.

Each function reads with one statement and yields its entries by vehicle and day.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, and_, literal_column, select
from sqlalchemy.orm import InstrumentedAttribute

from app.attachments.models import Attachment
from app.reference_numbers import Series
from app.upkeep.models.defects import Defect
from app.upkeep.models.due import DueDone, DueItem, DueItemVehicle
from app.upkeep.models.repairs import Repair
from app.upkeep.queries.record_reader import RecordReader, on_day
from app.upkeep.rules.record import RecordEntry, RecordKind


def defect_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the photos and documents of defects."""
    statement = select(Defect.reg, Defect.reg_key, Defect.number).select_from(Defect)
    return _files(reader, statement, "defect", Defect.id, Defect.reg_key, Series.DEFECT)


def repair_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the photos and documents of repairs."""
    statement = select(Repair.reg, Repair.reg_key, Repair.number).select_from(Repair)
    return _files(reader, statement, "repair", Repair.id, Repair.reg_key, Series.REPAIR)


def done_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the papers of done work."""
    statement = (
        select(DueItem.reg, DueItem.reg_key, DueItem.label)
        .join(DueDone, DueDone.due_item_id == DueItem.id)
        .where(DueItem.reg_key.is_not(None))
    )
    return _files(reader, statement, "due_done", DueDone.id, DueItem.reg_key)


def shared_done_files(reader: RecordReader) -> Iterator[RecordEntry]:
    """Yield the papers of work done on shared items, for each of their vehicles."""
    statement = (
        select(DueItemVehicle.reg, DueItemVehicle.reg_key, DueItem.label)
        .join(DueItem, DueItem.id == DueItemVehicle.due_item_id)
        .join(DueDone, DueDone.due_item_id == DueItem.id)
    )
    return _files(reader, statement, "due_done", DueDone.id, DueItemVehicle.reg_key)


SOURCES = (defect_files, repair_files, done_files, shared_done_files)


def _files(
    reader: RecordReader,
    statement: Select[*tuple[Any, ...]],
    subject_kind: str,
    subject_id: InstrumentedAttribute[int],
    key: Any,
    series: Series | None = None,
) -> Iterator[RecordEntry]:
    # The kind isn't looked up in an index, since SQLite would read the files of all records of it.
    kind_of = Attachment.subject_kind.concat(literal_column("''"))
    files = statement.add_columns(*Attachment.__table__.columns).join(
        Attachment, and_(kind_of == subject_kind, Attachment.subject_id == subject_id)
    )
    for row, entry in reader.happened(
        files, Attachment.added_at, by=Attachment.added_by, series=series, key=key
    ):
        removed = ""
        if row.removed_at is not None:
            who = reader.who(row.removed_by) or "the terminal"
            removed = f"Removed by {who}{on_day(row.removed_at)}"
        found = entry(
            kind=RecordKind.FILE,
            title=row.name or ("Photo" if row.photo_hash else "Document"),
            outcome=removed,
            files=[row.photo_hash or row.document_hash],
        )
        yield found if series else replace(found, reference=row.label)
