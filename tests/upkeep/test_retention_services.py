from collections import Counter
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import func, select

from app import day_counts
from app.attachments.models import Attachment
from app.audit.queries import all_entries
from app.db import db, transaction
from app.defects import models as defects
from app.defects.models import Defect, DefectSighting, OffRoad, Repair
from app.defects.rules.fields import Closing
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.due.rules.fields import DueClosing
from app.events.models import RecordedEvent
from app.fleet.models import Check, CheckPhoto, VehicleEvent
from app.fleet.queries.checks import COUNTED
from app.fleet.queries.vehicles import vehicles_on_record
from app.fleet.rules.findings import SightingAnswer
from app.fleet.rules.vehicles import CHECKS, VAN_HISTORY
from app.mileage.models import OdometerReading
from app.mileage.rules import ReadingSource
from app.photos.models import Document
from app.stock.models import StockOperation
from app.vehicle_file.rules import Kept
from app.vehicle_file.services import prune
from app.versions import versions_of
from tests import factories
from tests.silent_changes import written_directly
from tests.upkeep import rows
from tests.upkeep.rows import LK19

pytestmark = pytest.mark.differs_by_engine

BEFORE = date(2026, 1, 1)
THEN, LATER = date(2025, 6, 1), date(2026, 6, 1)
THEN_AT, LATER_AT = datetime(2025, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 1, 9, tzinfo=UTC)
KEY = "lk19vte"


@pytest.fixture
def by(app):
    """Provide the application with an account and a vehicle, and return the account's id."""
    with app.app_context():
        user = factories.user("k.lee")
        factories.vehicle(LK19)
        yield user


def pruned(reg_key=KEY, before=BEFORE):
    with transaction():
        return prune(reg_key, before)


def stored(model):
    return set(db.session.execute(select(model.id)).scalars())


def number(model):
    return db.session.execute(select(func.count()).select_from(model)).scalar_one()


def old_check(by, **values):
    return factories.check(LK19, by=by, day=THEN, **values)


def old_repair(**values):
    return rows.repair(finished_on=THEN, recorded_at=THEN_AT, **values)


def old_defect(**values):
    ended = {"closing": Closing.REPAIRED, "closed_at": THEN_AT, "day": THEN}
    return rows.defect(**ended | values)


def sighting(defect_id, check_id):
    seen = {"day": THEN, "recorded_at": THEN_AT, "answer": SightingAnswer.YES}
    return DefectSighting(defect_id=defect_id, check_id=check_id, **seen)


def test_a_closed_case_goes_with_all_that_belongs_to_it(by):
    photo = factories.photo(by)
    check = old_check(by, photos=[photo])
    defect = old_defect(check_id=check)
    first = old_defect()
    rows.store(
        sighting(defect, old_check(by)),
        defects.DefectNote(defect_id=defect, noted_at=THEN_AT, text="Seen"),
        Document(hash="a" * 64, size=1, media_type="application/pdf", stored_at=THEN_AT),
    )
    repair = old_repair(labour=5, defects=(defect, first))
    rows.part(repair, 10)
    old_repair(labour=-5, reverses_id=repair)
    rows.off_road(since=THEN_AT, until=THEN_AT, defect_id=defect)
    item = rows.due_item(closing=DueClosing.DONE, closed_at=THEN_AT)
    done = rows.done(item, done_on=THEN, recorded_at=THEN_AT, repair_id=repair, defect_id=first)
    for kind, subject in (("defect", defect), ("repair", repair), ("due_done", done)):
        paper = {"position": 0, "document_hash": "a" * 64, "added_at": THEN_AT}
        rows.store(Attachment(subject_kind=kind, subject_id=subject, **paper))
    rows.reading(40_000, day=THEN, source=ReadingSource.REPAIR, source_id=repair)
    rows.reading(50_000, day=LATER)
    operations, events = number(StockOperation), number(RecordedEvent)
    removed = pruned()
    names = (Kept.CHECK, Kept.DEFECT, Kept.REPAIR, Kept.OFF_ROAD, Kept.ITEM, Kept.DONE)
    assert [removed[kind] for kind in names] == [2, 2, 2, 1, 1, 1]
    emptied = (
        *(Check, CheckPhoto, VehicleEvent, Defect, DefectSighting, defects.DefectNote, Repair),
        *(defects.RepairedDefect, defects.RepairPart, OffRoad, DueItem, DueDone, Attachment),
    )
    assert {model.__name__: number(model) for model in emptied} == {m.__name__: 0 for m in emptied}
    assert number(OdometerReading) == 1
    assert number(Document) == 1
    assert (number(StockOperation), number(RecordedEvent)) == (operations, events + 1)
    last = list(all_entries())[-1]
    assert (last.event, last.subject, last.detail["check"]) == ("prune", KEY, 2)


def test_counts_of_days_and_versions_of_lists_follow_the_checks_that_are_removed(by):
    old_check(by, cost=500)
    old_check(by)
    factories.check(LK19, by=by, day=LATER)
    with written_directly(), transaction():
        db.session.execute(Check.__table__.update().values(reviewed_by=by, reviewed_at=LATER_AT))
        for counted in COUNTED:
            day_counts.rebuild(counted)
    before = versions_of((CHECKS, VAN_HISTORY))
    assert pruned()[Kept.CHECK] == 2
    assert all(map(int.__lt__, before, versions_of((CHECKS, VAN_HISTORY))))
    assert [problem for counted in COUNTED for problem in day_counts.problems(counted)] == []


def test_an_open_case_is_kept_with_all_that_belongs_to_it(by):
    check = old_check(by)
    earlier = old_defect(check_id=check)
    open_defect = rows.defect(day=THEN, repeat_of_id=earlier, check_id=old_check(by))
    rows.store(sighting(open_defect, old_check(by)))
    old_repair(defects=(earlier,))
    rows.off_road(since=THEN_AT)
    first = rows.due_item(closing=DueClosing.DONE, closed_at=THEN_AT)
    second = rows.due_item(closing=DueClosing.DONE, closed_at=THEN_AT)
    rows.done(first, done_on=THEN, recorded_at=THEN_AT, next_item_id=second)
    valid = rows.done(second, done_on=THEN, recorded_at=THEN_AT, next_item_id=rows.due_item())
    waiting = rows.reading(999_000, day=THEN, is_accepted=False)
    removed = pruned()
    assert removed[Kept.CHECK] == removed[Kept.DEFECT] == removed[Kept.REPAIR] == 0
    assert removed[Kept.OFF_ROAD] == 0
    assert stored(DueDone) == {valid}
    assert first not in stored(DueItem)
    assert second in stored(DueItem)
    assert waiting in stored(OdometerReading)


def test_what_is_recent_in_any_way_is_kept(by):
    kept = {
        Defect: [old_defect(closed_at=LATER_AT)],
        Repair: [
            rows.repair(finished_on=THEN, recorded_at=LATER_AT),
            old_repair(warranty_until=date(2999, 1, 1)),
        ],
        OffRoad: [rows.off_road(since=THEN_AT, until=LATER_AT)],
        DueItem: [rows.due_item(closing=DueClosing.DONE, closed_at=LATER_AT)],
        Check: [old_check(by, cost=100), factories.check(LK19, by=by, day=BEFORE)],
    }
    taken_back = old_repair(labour=5)
    kept[Repair] += [
        taken_back,
        rows.repair(labour=-5, finished_on=THEN, recorded_at=LATER_AT, reverses_id=taken_back),
    ]
    pruned()
    for model, ids in kept.items():
        assert set(ids) <= stored(model), model


def test_the_newest_reading_in_use_is_kept(by):
    rows.reading(39_000, day=THEN)
    newest = rows.reading(40_000, day=THEN)
    rows.reading(41_000, day=THEN, void_at=THEN_AT)
    assert pruned()[Kept.READING] == 2
    assert stored(OdometerReading) == {newest}


def test_items_that_vehicles_share_are_removed_apart(by):
    item = rows.due_item(shared=(LK19, "YD21 HMO"), closing=DueClosing.DONE, closed_at=THEN_AT)
    defect = old_defect()
    rows.done(item, done_on=THEN, recorded_at=THEN_AT, defect_id=defect)
    assert pruned()[Kept.DEFECT] == 0
    assert pruned(None) == Counter({Kept.ITEM: 1, Kept.DONE: 1})
    assert (number(DueItem), number(DueItemVehicle)) == (0, 0)
    assert pruned()[Kept.DEFECT] == 1


def test_other_vehicles_stay_as_they_are(by):
    other = rows.repair("YD21 HMO", finished_on=THEN, recorded_at=THEN_AT)
    old_repair()
    pruned()
    assert stored(Repair) == {other}
    assert vehicles_on_record() == ["yd21hmo"]


def test_a_second_run_removes_and_notes_nothing(by):
    old_repair()
    pruned()
    entries = len(list(all_entries()))
    assert pruned() == Counter()
    assert len(list(all_entries())) == entries
