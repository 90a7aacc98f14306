"""The history of the demo, each step at its moment; a part stands for its last defect."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from sqlalchemy import select

from app import dates
from app.db import db
from app.defects.models import Defect, Repair
from app.defects.queries.repairs import get_repair
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import RepairValues
from app.defects.services.decisions import assess_defect, book_defect, close_defect
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.repairs import record_repair
from app.due.models import DueItem
from app.due.rules.fields import DueKind
from app.due.services.done import DoneValues, mark_done
from app.due.services.due import DueValues, add_item
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import plate_key

GARAGE = "Hartley's Garage"


@dataclass(frozen=True)
class StoryStep:
    """Something that was done at a moment."""

    at: datetime
    do: Callable[[], object]


def play(steps: Iterable[StoryStep]) -> None:
    """Do all steps in the order of their moments, and of one moment in their own order."""
    for step in sorted(steps, key=lambda step: step.at):
        with dates.as_of(step.at):
            step.do()


def moment(today: date, days_ago: int, clock: str) -> datetime:
    """Return a London time of a day, now for a time still to come."""
    day = today - timedelta(days=days_ago)
    at = datetime.combine(day, time.fromisoformat(clock), dates.LONDON)
    return min(at.astimezone(UTC), dates.utc_now())


class Story:
    """The context of the steps: the day on which the demo is loaded, and the user."""

    def __init__(self, today: date, by: int) -> None:
        self.today = today
        self.by = by
        self.steps: list[StoryStep] = []

    def ago(self, days: int) -> date:
        """Return the day so many days ago; negative numbers lie ahead."""
        return self.today - timedelta(days=days)

    def on(
        self, days_ago: int, clock: str, do: Callable[..., object], *args: Any, **named: Any
    ) -> None:
        """Do something at a London time of a day."""
        at = moment(self.today, days_ago, clock)
        self.steps.append(StoryStep(at, partial(do, *args, **named)))

    def defect_of(self, reg: str, part: str) -> int:
        """Return the number of a vehicle's last defect of a part, or of damage to one."""
        statement = (
            select(Defect.number)
            .filter_by(reg_key=plate_key(reg))
            .where(Defect.part.startswith(part))
            .order_by(Defect.id.desc())
        )
        return db.session.execute(statement.limit(1)).scalar_one()

    def report(self, reg: str, part: str, title: str) -> None:
        """Report a defect that isn't assessed, as of today."""
        open_defect(DefectReport(reg, part, title), by=self.by)

    def assess(self, reg: str, part: str, severity: Severity, note: str = "") -> None:
        """Assess the last defect of a vehicle's part."""
        assess_defect(self.defect_of(reg, part), severity, note=note, by=self.by)

    def book(self, reg: str, part: str, garage: str, day: date, note: str = "") -> None:
        """Book in the last defect of a vehicle's part."""
        book_defect(self.defect_of(reg, part), garage, day, note=note, by=self.by)

    def close(self, reg: str, part: str, choice: ClosingChoice) -> None:
        """Close the last defect of a vehicle's part without a repair."""
        close_defect(self.defect_of(reg, part), choice, by=self.by)

    def mend(self, reg: str, part: str, **values: Any) -> Repair:
        """Record a repair of today of the last defect of a vehicle's part."""
        mended = [self.defect_of(reg, part)]
        repair = RepairValues(reg=reg, defects=mended, finished_on=dates.today(), **values)
        return get_repair(record_repair(repair, by=self.by).number)

    def add(
        self,
        reg: str,
        kind: DueKind,
        days: int | None = None,
        *,
        miles: int | None = None,
        label: str = "",
    ) -> DueItem:
        """Add an item that is due in so many days or at a mileage."""
        due_on = None if days is None else self.ago(-days)
        item = add_item(DueValues([reg], kind, label, due_on, miles), by=self.by)
        return db.session.get_one(DueItem, item.item_id)

    def item_of(self, reg: str, kind: DueKind) -> DueItem:
        """Return the open item of a vehicle and kind."""
        statement = select(DueItem).filter_by(reg_key=plate_key(reg), kind=kind, closed_at=None)
        return db.session.execute(statement).scalar_one()

    def test(self, reg: str, next_in_days: int, **values: Any) -> None:
        """Pass a vehicle's MOT today, with the next one due in so many days."""
        item = self.add(reg, DueKind.MOT, (dates.today() - self.today).days)
        following = self.ago(-next_in_days)
        done = DoneValues(dates.today(), next_due_on=following, garage=GARAGE, **values)
        mark_done(item.id, done, revision=item.revision, by=self.by)
