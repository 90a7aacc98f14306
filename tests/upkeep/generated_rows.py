"""The rows of a generated fleet: they wait until they are stored at once."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import count
from typing import Any

from sqlalchemy import func, select

from app.attachments.models import Attachment
from app.db import db, insert_rows, table_of, transaction
from app.defects.models import Defect, DefectNote, DefectSighting, OffRoad, Repair, RepairedDefect
from app.divisions import Division
from app.due.models import DueDone, DueItem, DueItemVehicle, DuePlan
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.fleet.models import Check, CheckPhoto, Vehicle, VehicleEvent
from app.identity import Channel
from app.mileage.models import OdometerReading
from app.photos.models import Photo

MILES_A_DAY = 40


STORED = (
    *(Vehicle, Photo, Check, CheckPhoto, VehicleEvent, OdometerReading, Defect, DefectSighting),
    *(DefectNote, Repair, RepairedDefect, OffRoad, Attachment, DuePlan, DueItem, DueItemVehicle),
    *(DueDone, RecordedEvent),
)


@dataclass
class Rows:
    """Rows that wait to be stored, by model, and the ids that were given."""

    by: int | None
    waiting: dict[Any, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    ids: dict[Any, "count[int]"] = field(default_factory=dict)
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def add(self, model: Any, /, **values: Any) -> int:
        """Add a row with the defaults of its model; return its id."""
        row = _defaults(model) | values
        if "id" in row:
            row["id"] = self._next_id(model)
        self.waiting[model].append(row)
        return row.get("id", 0)

    def add_event(self, kind: EventKind, subject: str, subject_id: int, day: date) -> None:
        """Add the event of a change."""
        self.add(
            RecordedEvent,
            at=at(day),
            kind=kind,
            division=Division.FLEET,
            subject_kind=subject,
            subject_id=str(subject_id),
            actor_id=self.by,
            channel=Channel.SCREEN,
        )

    def _next_id(self, model: Any) -> int:
        if model not in self.ids:
            last = db.session.execute(select(func.max(model.id))).scalar_one()
            self.ids[model] = count(1 + (last or 0))
        return next(self.ids[model])

    def store(self) -> None:
        """Store the rows that wait, those first that others refer to."""
        with transaction():
            for table in STORED:
                if self.waiting[table]:
                    insert_rows(table_of(table), self.waiting.pop(table))


@cache
def _defaults(model: Any) -> dict[str, Any]:
    """Return the defaults of a model's columns, None for a column without one."""
    columns = table_of(model).columns
    return {column.name: column.default.arg if column.default else None for column in columns}


def miles_on(day: date, first: date) -> int:
    """Return what a vehicle has run on a day; it was bought on the first."""
    return 10_000 + MILES_A_DAY * (day - first).days


def at(day: date) -> datetime:
    """Return the time at which all of a day happens."""
    return datetime.combine(day, time(9), UTC)
