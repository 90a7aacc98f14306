"""Defects: assessed, booked in, signed off, undone and closed, and how people read them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import current_app
from sqlalchemy import select

from app.db import db, transaction
from app.defects.models import DefectNote
from app.defects.queries import defects as queries
from app.defects.queries.defects import SeenAgain, seen_again
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing, DefectState
from app.defects.services import decisions
from app.defects.services.repairs import reverse_repair
from app.errors import Conflict, EditConflict, Forbidden, Invalid
from app.fleet.rules.findings import Failure, Severity, SightingAnswer
from tests.silent_changes import written_directly
from tests.upkeep.defect_steps import (
    BRAKES,
    DRIVER,
    KEY,
    MANAGER,
    MIRRORS,
    TODAY,
    close,
    decide,
    kinds,
    numbers,
    repaired,
    reported,
    row,
    sent,
)

pytestmark = pytest.mark.usefixtures("driver_and_manager")


def test_a_defect_goes_its_way_to_the_sign_off():
    sent(MIRRORS)
    decide(decisions.assess_defect, 1, Severity.REPAIR, note="May be driven.")
    booking = ("Kwik-Fix", TODAY + timedelta(days=3))
    decide(decisions.book_defect, 1, *booking, by=DRIVER)
    assert (row(1).state, row(1).garage) == (DefectState.BOOKED, "Kwik-Fix")
    decide(decisions.note_defect, 1, "The glass is ordered.", by=DRIVER)
    repaired(1)
    assert row(1).state is DefectState.REPAIRED
    decide(decisions.sign_off_defect, 1)
    assert (row(1).closing, row(1).closed_by) == (Closing.REPAIRED, MANAGER)
    notes = db.session.scalars(select(DefectNote.text).order_by(DefectNote.id))
    assert list(notes) == ["May be driven.", "The glass is ordered."]
    verbs = ("opened", "assessed", "booked", "noted", "repaired", "closed")
    assert kinds() == [f"defect.{verb}" for verb in verbs]


def test_a_defect_is_booked_in_for_today_or_later_but_a_past_booking_can_stay():
    sent(MIRRORS)
    yesterday = TODAY - timedelta(days=1)
    with pytest.raises(Invalid, match="for a day before today") as refused:
        decide(decisions.book_defect, 1, "Kwik-Fix", yesterday)
    assert refused.value.field == "booked_for"
    with written_directly(), transaction():
        row(1).booked_for = yesterday
    decide(decisions.book_defect, 1, "Hartley's Garage", yesterday)
    assert row(1).garage == "Hartley's Garage"


def test_the_second_who_signs_off_reads_who_was_first():
    sent(MIRRORS)
    repaired(1)
    decide(decisions.sign_off_defect, 1)
    before = kinds()
    message = r"k\.lee signed D-0001 off at \d+:\d\d\. Nothing was changed\."
    for function, *rest in (
        (decisions.sign_off_defect,),
        (decisions.assess_defect, Severity.STOP),
        (decisions.close_defect, ClosingChoice(Closing.NO_FAULT, "late")),
        (decisions.book_defect, "Kwik-Fix", None),
    ):
        with pytest.raises(Conflict, match=message):
            decide(function, 1, *rest, by=DRIVER)
    assert kinds() == before


@pytest.mark.own_app
def test_who_repaired_may_sign_off_unless_the_setting_demands_another(monkeypatch):
    sent(MIRRORS, BRAKES)
    repaired(1, by=MANAGER)
    decide(decisions.sign_off_defect, 1, by=MANAGER)
    repaired(2, by=MANAGER)
    strict = replace(current_app.config["QUARTERMASTER"], sign_off_by_another=True)
    monkeypatch.setitem(current_app.config, "QUARTERMASTER", strict)
    with pytest.raises(Forbidden, match="Another manager signs it off"):
        decide(decisions.sign_off_defect, 2, by=MANAGER)
    decide(decisions.sign_off_defect, 2, by=DRIVER)
    assert row(2).closed_by == DRIVER


def test_a_defect_that_was_not_mended_is_assessed_and_repaired_again():
    sent(MIRRORS)
    repaired(1)
    decide(decisions.assess_defect, 1, Severity.REPAIR)
    assert row(1).state is DefectState.ASSESSED
    decide(reverse_repair, repaired(1))
    assert row(1).state is DefectState.ASSESSED


@pytest.mark.parametrize("answer", [SightingAnswer.YES, SightingAnswer.WORSE])
def test_a_repaired_defect_that_somebody_still_sees_says_when(answer):
    sent(MIRRORS, day=TODAY - timedelta(days=3))
    repaired(1, day=TODAY - timedelta(days=2))
    sent(MIRRORS, day=TODAY - timedelta(days=3))
    sent(answers={1: SightingAnswer.ABSENT})
    assert queries.seen_after_repair([row(1)]) == {}
    sent(answers={1: answer}, day=TODAY - timedelta(days=1))
    assert queries.seen_after_repair([row(1)]) == {row(1).id: TODAY - timedelta(days=1)}
    decide(decisions.assess_defect, 1, Severity.REPAIR)
    repaired(1)
    assert queries.seen_after_repair([row(1)]) == {}


def test_a_signed_off_defect_says_that_its_repair_was_undone_also_after_a_rejected_one():
    sent(MIRRORS)
    repaired(1)
    decide(decisions.assess_defect, 1, Severity.REPAIR)
    number = repaired(1)
    decide(decisions.sign_off_defect, 1)
    assert not queries.listed_defect(row(1)).is_undone
    decide(reverse_repair, number)
    assert queries.listed_defect(row(1)).is_undone


def test_a_change_that_rests_on_an_older_revision_is_refused():
    sent(MIRRORS)
    revision = row(1).revision
    decide(decisions.note_defect, 1, "Somebody was faster.", by=DRIVER)
    with pytest.raises(EditConflict):
        decide(decisions.assess_defect, 1, Severity.ADVISORY, revision=revision)
    assert row(1).severity is Severity.REPAIR


def test_defects_of_vehicles_that_left_close_and_stay_readable():
    sent(MIRRORS, BRAKES)
    close(1)
    decide(decisions.close_for_vehicles_left, [KEY], by=None)
    assert [row(n).closing for n in numbers()] == [Closing.NO_FAULT, Closing.VEHICLE_LEFT]


def test_a_report_by_hand_names_a_vehicle_of_the_lists():
    assert reported(severity=Severity.STOP).message == (
        "Stop: do not drive LK19 VTE. Wipers torn (D-0001)."
    )
    second = reported()
    assert (second.number, second.is_new) == (1, False)
    assert "(D-0001). Seen again: D-0001, reported 2 times since" in second.message
    with pytest.raises(Invalid, match="There is no vehicle NO1 CAR"):
        reported(reg="NO1 CAR")


def test_open_defects_come_worst_first_and_say_where_they_stand():
    sent(Failure("Seat", "Torn", None), MIRRORS, BRAKES)
    decide(decisions.book_defect, 2, "Kwik-Fix", None)
    found_ = queries.open_defects([KEY])[KEY]
    assert [(each.reference, each.standing) for each in found_] == [
        ("D-0003", "not assessed yet"),
        ("D-0001", "not assessed yet"),
        ("D-0002", "booked in at Kwik-Fix"),
    ]
    assert queries.open_defects(None).keys() == {KEY}


def test_a_defect_that_nobody_saw_again_was_seen_once():
    sent(MIRRORS)
    assert seen_again([row(1).id]) == {row(1).id: SeenAgain(1, None, None)}
