"""Repairs: what they cost, the parts that they take from stock, and what undoing one takes back."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, Repair
from app.defects.queries import off_road
from app.defects.queries import repairs as queries
from app.defects.queries.repairs import part_notes, part_problems
from app.defects.rules.fields import DefectState, RepairValues, StockPart
from app.defects.services import repairs as services
from app.defects.services.decisions import sign_off_defect
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.off_road import return_to_road
from app.divisions import Division
from app.errors import Conflict, Invalid, QuartermasterError
from app.fleet.rules.findings import Severity
from app.mileage.models import OdometerReading
from app.stock.models import LedgerEntry
from app.stock.queries import books
from app.stock.services import movements as stock_services
from tests import factories
from tests.upkeep.defect_steps import DRIVER, KEY, MANAGER, REG, decide

pytestmark = pytest.mark.usefixtures("context")

GLASS = StockPart(factories.MAIN, "Mirror glass", 2)


@pytest.fixture(autouse=True)
def people(context):
    factories.user("j.marsh", Division.FLEET, Division.GFM)
    factories.user("k.lee", Division.FLEET, Division.GFM)
    factories.vehicle(REG)
    factories.item("Mirror glass", 5, unit_price=2240)


def defect(part="Mirrors", severity=Severity.REPAIR, reg=REG):
    with transaction():
        return open_defect(DefectReport(reg, part, f"{part}: cracked", severity), by=1).number


def repair(*defects, **values):
    given = {"reg": REG, "finished_on": dates.today(), "garage": "Kwik-Fix", **values}
    done = decide(services.record_repair, RepairValues(defects=defects, **given), by=DRIVER)
    return queries.get_repair(done.number)


def undo(number, by=MANAGER):
    return queries.get_repair(decide(services.reverse_repair, number, by=by).number)


def part_of(repair_):
    return queries.stock_parts([repair_.id])[repair_.id][0]


def take_back(operation_id):
    return decide(stock_services.take_back, Division.GFM, operation_id)


def states():
    db.session.rollback()
    return dict(db.session.execute(select(Defect.number, Defect.state)).all())


def costs(repair_):
    return queries.repair_rows([repair_])[0]


def test_one_repair_mends_several_defects_which_wait_for_their_sign_off():
    numbers = [defect(), defect("Wiper")]
    done = repair(*numbers, labour=3500, parts=4860, other=100)
    assert done.reference == "R-0001"
    assert states() == dict.fromkeys(numbers, DefectState.REPAIRED)
    assert [d.number for d in queries.repaired_defects([done.id])[done.id]] == numbers
    assert costs(done).total == 8460


def test_parts_from_stock_are_withdrawn_at_the_ledgers_price_and_name_the_repair():
    done = repair(defect(), stock_parts=[GLASS])
    assert factories.amount("Mirror glass") == 3
    part = part_of(done)
    assert (part.name, part.quantity, part.pence) == ("Mirror glass", 2, 4480)
    assert part.store == factories.MAIN
    entry = db.session.execute(select(LedgerEntry).filter_by(operation_id=part.operation_id))
    row = entry.scalar_one()
    assert (row.delta, row.team, row.reason) == (-2, "Fleet", "R-0001 LK19 VTE")
    assert list(books.ledger_problems()) == []


def test_parts_of_several_stores_are_an_operation_each():
    factories.item("Bulb", 4, store=factories.GUILDFORD, unit_price=150)
    bulbs = StockPart(factories.GUILDFORD, "Bulb", 1)
    done = repair(defect(), stock_parts=[bulbs, GLASS, GLASS])
    parts = queries.stock_parts([done.id])[done.id]
    found = {(part.name, part.quantity, part.pence) for part in parts}
    assert found == {("Mirror glass", 4, 8960), ("Bulb", 1, 150)}
    assert len({part.operation_id for part in parts}) == 2
    assert factories.amount("Mirror glass") == 1
    assert factories.amount("Bulb", factories.GUILDFORD) == 3


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (StockPart(factories.MAIN, "Mirror glass", 6), "Not enough stock"),
        (StockPart(factories.MAIN, "Clutch", 1), "Item not found"),
    ],
)
def test_a_part_that_stock_lacks_refuses_the_whole_repair_at_its_field(part, message):
    factories.item("Bulb", 4, store=factories.GUILDFORD)
    number = defect()
    bulb = StockPart(factories.GUILDFORD, "Bulb", 1)
    with pytest.raises(QuartermasterError, match=message) as refused:
        repair(number, stock_parts=[bulb, part])
    assert list(refused.value.fields) == ["stock_parts.1.item"]
    assert states() == {number: DefectState.OPEN}
    assert factories.amount("Bulb", factories.GUILDFORD) == 4
    assert db.session.execute(select(func.count()).select_from(Repair)).scalar_one() == 0


def test_a_repair_says_what_was_done_or_what_it_cost():
    with pytest.raises(Invalid, match="Tick what was repaired, or enter a cost or a note"):
        repair()
    factories.item("Mirror glass", 4)
    for given in ({"note": "Annual service"}, {"other": 1}, {"stock_parts": [GLASS]}):
        assert repair(**given).reference


@pytest.mark.parametrize(
    "values",
    [
        {"started_on": dates.today() + timedelta(days=1)},
        {"warranty_until": dates.today() - timedelta(days=1)},
        {"stock_parts": [GLASS] * 21},
    ],
)
def test_values_that_contradict_each_other_are_refused(values):
    with pytest.raises(Invalid):
        repair(note="Service", **values)


def test_a_warranty_lasts_beyond_the_mileage_of_its_repair():
    with pytest.raises(Invalid, match="must be above the mileage of the repair") as why:
        repair(note="Service", warranty_miles=48_210, odometer=48_210)
    assert why.value.field == "warranty_miles"
    assert repair(note="Service", warranty_miles=48_211, odometer=48_210).reference == "R-0001"


def test_a_repair_is_not_done_before_its_defect_was_seen():
    number = defect()
    message = r"^D-0001 was seen on \d+ \w+\. Enter a day from then"
    with pytest.raises(Invalid, match=message) as why:
        repair(number, finished_on=dates.today() - timedelta(days=1))
    assert why.value.field == "finished_on"
    assert states() == {number: DefectState.OPEN}


def test_only_defects_of_the_vehicle_that_are_not_mended_are_repaired():
    factories.vehicle("AB12 CDE")
    other = defect(reg="AB12 CDE")
    with pytest.raises(Invalid, match=r"is a defect of AB12 CDE, not LK19 VTE"):
        repair(other)
    number = defect()
    repair(number)
    with pytest.raises(Conflict):
        repair(number)


def test_a_vehicle_that_nobody_knows_is_not_repaired():
    with pytest.raises(Invalid, match=r"There is no vehicle ZZ99 ZZZ\."):
        repair(reg="zz99 zzz", note="Service")


def test_a_mileage_that_cannot_be_right_is_kept_and_questioned():
    first = repair(note="Service", odometer=48_190)
    typo = repair(note="Service", odometer=480_210)
    assert services.mileage_question(first) == ""
    assert services.mileage_question(typo).startswith("Is 480,210 right? It was 48,190 on ")
    used = db.session.scalars(select(OdometerReading.is_accepted).order_by(OdometerReading.id))
    assert list(used) == [True, False]


def test_undoing_a_repair_takes_its_costs_parts_and_mileage_back_and_opens_its_defects():
    number = defect()
    done = repair(number, labour=3500, odometer=48_210, stock_parts=[GLASS])
    reversal = undo(done.number)
    assert (reversal.reference, reversal.reverses_id) == ("R-0002", done.id)
    assert costs(done).total + costs(reversal).total == 0
    assert factories.amount("Mirror glass") == 5
    assert states() == {number: DefectState.OPEN}
    reading = db.session.execute(select(OdometerReading)).scalar_one()
    assert reading.void_reason == "R-0001 was undone"
    assert list(books.ledger_problems()) == []


def test_a_repair_is_undone_once_and_the_second_manager_reads_by_whom():
    done = repair(note="Service")
    reversal = undo(done.number)
    with pytest.raises(Conflict, match=r"^k\.lee undid R-0001 at \d+:\d\d\. Nothing was changed"):
        undo(done.number, by=1)
    with pytest.raises(Conflict, match=r"R-0002 takes R-0001 back"):
        undo(reversal.number)


@pytest.mark.parametrize("is_signed_off", [False, True])
def test_undoing_the_repair_of_a_stop_defect_stops_its_vehicle_unless_it_was_signed_off(
    is_signed_off,
):
    number = defect("Brakes", Severity.STOP)
    done = repair(number)
    if is_signed_off:
        decide(sign_off_defect, number)
    reason = "" if is_signed_off else "To the garage"
    decide(return_to_road, REG, note="", override_reason=reason)
    undo(done.number)
    assert states() == {number: DefectState.CLOSED if is_signed_off else DefectState.OPEN}
    assert (KEY in off_road.current_times([KEY])) is not is_signed_off


def test_stock_cannot_undo_what_a_repair_or_its_undo_booked():
    done = repair(defect(), stock_parts=[GLASS])
    for booked, refusal in (
        (lambda: done, r"^This belongs to R-0001\. Undo the repair\.$"),
        (lambda: undo(done.number), r"^This belongs to the undo of R-0001\. Record a repair if"),
    ):
        operation_id = part_of(booked()).operation_id
        with pytest.raises(Conflict, match=refusal):
            decide(stock_services.undo, Division.GFM, operation_id)
    assert factories.amount("Mirror glass") == 5


def test_parts_that_stock_separated_are_noted_and_joined_again():
    done = repair(defect(), stock_parts=[GLASS])
    take_back(part_of(done).operation_id)
    [note] = part_notes()
    assert note.startswith("R-0001 and its parts were separated in stock.")
    assert decide(services.relink_parts, done.number, by=None) == 1
    assert (factories.amount("Mirror glass"), list(part_notes())) == (3, [])
    take_back(part_of(undo(done.number)).operation_id)
    assert (factories.amount("Mirror glass"), len(list(part_notes()))) == (3, 1)
    assert [decide(services.relink_parts, done.number, by=None) for _ in range(2)] == [1, 0]
    assert (factories.amount("Mirror glass"), list(part_notes())) == (5, [])
    assert list(part_problems()) == []


def test_parts_that_stock_has_back_already_are_returned_once():
    done = repair(defect(), stock_parts=[GLASS])
    take_back(part_of(done).operation_id)
    reversal = undo(done.number)
    assert factories.amount("Mirror glass") == 5
    assert costs(reversal).from_stock == -4480


def test_parts_that_were_taken_again_in_stock_come_back():
    done = repair(defect(), stock_parts=[GLASS])
    take_back(take_back(part_of(done).operation_id).operation)
    assert factories.amount("Mirror glass") == 3
    undo(done.number)
    assert factories.amount("Mirror glass") == 5


def test_garages_of_earlier_repairs_are_suggested_the_newest_first():
    repair(note="Service", garage="Station Garage", finished_on=dates.today() - timedelta(days=9))
    repair(note="Service", garage="")
    repair(note="Service", garage="Kwik-Fix")
    assert queries.garages() == ["Kwik-Fix", "Station Garage"]
