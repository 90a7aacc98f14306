"""Defects, repairs, times off the road, what is due and readings, against a plain model of them."""

from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, OffRoad, Repair
from app.defects.queries import off_road, repairs
from app.defects.rules.fields import OffRoadReason, RepairValues
from app.defects.services.decisions import assess_defect, sign_off_defect
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.off_road import return_to_road, take_off_road
from app.defects.services.repairs import record_repair, reverse_repair
from app.due.models import DueItem
from app.due.rules.fields import DueKind
from app.due.services.done import DoneValues, mark_done
from app.due.services.due import DueValues, add_item
from app.errors import Conflict
from app.fleet.rules.findings import Severity
from app.mileage.queries import current_mileage
from app.mileage.rules import ReadingSource
from app.mileage.services import record_reading
from app.vehicle_file.queries.cost_sources import CostFilters
from app.vehicle_file.queries.costs import cost_report
from tests import factories
from tests.silent_changes import written_directly

REGS = ("LK19 VTE", "YD21 HMO")
PARTS = ("Brakes", "Mirrors")
TODAY = dates.today()
DAY_ONE = TODAY - timedelta(days=100)

regs = st.sampled_from(REGS)
parts = st.sampled_from(PARTS)
severities = st.sampled_from([None, *Severity])


@dataclass
class Model:
    """What there should be: open defects by vehicle and part, who is off the road, and the rest.

    `mended_by` has the repairs of defects that wait for a sign-off.
    """

    by: int
    defects: dict[tuple[str, str], Severity | None] = field(default_factory=dict)
    mended_by: dict[tuple[str, str], int] = field(default_factory=dict)
    off_road: set[str] = field(default_factory=set)
    repairs: dict[int, int] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    miles: dict[str, int] = field(default_factory=dict)
    read_on: dict[str, date] = field(default_factory=dict)
    done: int = 0
    days: int = 0

    def stops(self, reg: str) -> bool:
        """Return whether a stop defect keeps a vehicle off the road."""
        return any(
            severity is Severity.STOP for (of, _), severity in self.defects.items() if of == reg
        )

    def take_back(self, number: int) -> None:
        """Take a repair back, which opens the defects that wait for its sign-off."""
        del self.repairs[number]
        for key in [key for key, repair in self.mended_by.items() if repair == number]:
            del self.mended_by[key]
            if self.defects[key] is Severity.STOP:
                self.off_road.add(key[0])


RANKS = [None, *(Severity.ADVISORY, Severity.REPAIR, Severity.STOP)]


class Upkeep(RuleBasedStateMachine):
    """People who report, assess, repair, take back, sign off and put back, in any order."""

    def __init__(self, by: int) -> None:
        super().__init__()
        with written_directly(), transaction():
            empty()
        self.model = Model(by)

    def do(self, function, *args, **values):
        with transaction():
            return function(*args, **values, by=self.model.by)

    def refuse(self, function, *args, **values):
        with pytest.raises(Conflict):
            self.do(function, *args, **values)

    @rule(reg=regs, part=parts, severity=severities)
    def report(self, reg, part, severity):
        key = (reg, part)
        self.do(open_defect, DefectReport(reg, part, "Worn", severity, day=TODAY))
        before = self.model.defects.get(key)
        self.model.defects[key] = max(before, severity, key=RANKS.index)
        if severity is Severity.STOP:
            self.model.off_road.add(reg)

    @rule(reg=regs, part=parts, severity=st.sampled_from(list(Severity)))
    def assess(self, reg, part, severity):
        key = (reg, part)
        if key not in self.model.defects:
            return
        self.do(assess_defect, number_of(reg, part), severity)
        self.model.defects[key] = severity
        self.model.mended_by.pop(key, None)
        if severity is Severity.STOP:
            self.model.off_road.add(reg)

    @rule(reg=regs, part=parts, pence=st.integers(0, 50_000))
    def repair(self, reg, part, pence):
        key = (reg, part)
        is_open = key in self.model.defects and key not in self.model.mended_by
        if key not in self.model.defects:
            return
        values = RepairValues(
            reg=reg, defects=[number_of(reg, part)], finished_on=TODAY, labour=pence
        )
        if not is_open:
            self.refuse(record_repair, values)
            return
        number = self.do(record_repair, values).number
        self.model.repairs[number] = pence
        self.model.mended_by[key] = number

    @precondition(lambda self: self.model.repairs)
    @rule(data=st.data())
    def take_back(self, data):
        number = data.draw(st.sampled_from(sorted(self.model.repairs)))
        self.do(reverse_repair, number)
        self.refuse(reverse_repair, number)
        self.model.take_back(number)

    @rule(reg=regs, part=parts)
    def sign_off(self, reg, part):
        key = (reg, part)
        if key not in self.model.defects:
            return
        number = number_of(reg, part)
        if key not in self.model.mended_by:
            self.refuse(sign_off_defect, number)
            return
        self.do(sign_off_defect, number)
        del self.model.defects[key], self.model.mended_by[key]
        self.refuse(sign_off_defect, number)

    @rule(reg=regs)
    def take_off(self, reg):
        self.do(take_off_road, reg, OffRoadReason.ACCIDENT)
        self.model.off_road.add(reg)

    @rule(reg=regs)
    def put_back(self, reg):
        is_refused = (
            reg not in self.model.off_road or self.model.stops(reg) or (reg in self.model.due)
        )
        if is_refused:
            self.refuse(return_to_road, reg, note="", override_reason="")
            return
        self.do(return_to_road, reg, note="", override_reason="")
        self.model.off_road.discard(reg)

    @rule(reg=regs)
    def let_an_inspection_fall_due(self, reg):
        if reg in self.model.due:
            return
        values = DueValues([reg], DueKind.INSPECTION, "Inspection", TODAY - timedelta(days=1))
        with transaction():
            self.model.due[reg] = add_item(values, by=self.model.by).item_id

    @rule(reg=regs, pence=st.integers(0, 10_000))
    def inspect(self, reg, pence):
        if reg not in self.model.due:
            return
        item_id = self.model.due.pop(reg)
        done = self.do(mark_done, item_id, DoneValues(TODAY, cost=pence), revision=0)
        assert done.next_item_id is None
        self.model.done += pence
        self.refuse(mark_done, item_id, DoneValues(TODAY), revision=0)

    @rule(reg=regs, rise=st.integers(-2_000, 2_000))
    def read(self, reg, rise):
        before = self.model.miles.get(reg)
        miles = 50_000 if before is None else before + rise
        self.model.days += 1
        day = DAY_ONE + timedelta(days=self.model.days)
        with transaction():
            row = record_reading(
                reg, miles, day=day, source=ReadingSource.BY_HAND, by=self.model.by
            )
        assert row.is_accepted is (before is None or fits(self.model.read_on[reg], day, rise))
        if row.is_accepted:
            self.model.miles[reg] = miles
            self.model.read_on[reg] = day

    @invariant()
    def rows_are_those_of_the_model(self):
        db.session.remove()
        open_rows = db.session.scalars(select(Defect).where(Defect.closed_at.is_(None)))
        found = {(row.reg, row.part): row for row in open_rows}
        assert {key: row.severity for key, row in found.items()} == self.model.defects
        repaired = {key for key, row in found.items() if row.state == "repaired"}
        assert repaired == self.model.mended_by.keys()
        off = select(OffRoad.reg).where(OffRoad.until.is_(None))
        assert sorted(db.session.scalars(off)) == sorted(self.model.off_road)
        due = select(DueItem.id).where(DueItem.closed_at.is_(None))
        assert sorted(db.session.scalars(due)) == sorted(self.model.due.values())

    @invariant()
    def repairs_and_what_was_done_cost_what_stands(self):
        report = cost_report(CostFilters(DAY_ONE, TODAY))
        assert report.pence == sum(self.model.repairs.values()) + self.model.done
        assert sum(db.session.scalars(select(Repair.labour))) == sum(self.model.repairs.values())

    @invariant()
    def the_mileage_is_the_newest_accepted_reading(self):
        for reg, miles in self.model.miles.items():
            assert current_mileage(reg.replace(" ", "").lower()).miles == miles

    @invariant()
    def verify_finds_nothing(self):
        checks = (
            off_road.off_road_problems,
            off_road.stop_problems,
            repairs.repair_problems,
        )
        assert [problem for check in checks for problem in check()] == []


def number_of(reg, part):
    statement = select(Defect.number).filter_by(reg=reg, part=part, closed_at=None)
    return db.session.execute(statement).scalar_one()


def fits(last, day, rise):
    """Return whether a reading can follow the last one: it never falls, nor rises too fast."""
    return 0 <= rise <= 1_000 * (day - last).days


def test_upkeep_does_what_a_plain_model_does(app, pytestconfig):
    tables = (Defect, Repair, OffRoad, DueItem)

    with app.app_context():
        by = factories.user("k.lee")
        for reg in REGS:
            factories.vehicle(reg)
        assert not any(db.session.execute(select(model.id)).first() for model in tables)
        run_state_machine_as_test(
            lambda: Upkeep(by),
            settings=settings(
                max_examples=30 if pytestconfig.option.thorough else 6,
                stateful_step_count=25,
                suppress_health_check=list(HealthCheck),
            ),
        )


def empty():
    """Remove the rows of the last example."""
    names = (
        *("repair_part", "repaired_defect", "defect_note", "defect_sighting", "off_road"),
        *("due_done", "due_item_vehicle", "due_item", "odometer_reading", "attachment"),
    )
    tables = db.metadata.tables
    for name in names:
        db.session.execute(tables[name].delete())
    for model in (Repair, Defect):
        referring = "reverses_id" if model is Repair else "repeat_of_id"
        column = getattr(model, referring)
        while db.session.execute(select(model.id)).first():
            referred = select(column).where(column.is_not(None))
            db.session.execute(model.__table__.delete().where(model.id.not_in(referred)))
