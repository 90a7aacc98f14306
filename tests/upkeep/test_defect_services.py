"""Defects: opened and seen by checks and people, assessed, booked in, closed and signed off."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db
from app.defects.queries import defects as queries
from app.defects.queries import off_road
from app.defects.queries.defects import all_defects, defects_of_vehicle, seen_again
from app.defects.rules.fields import Closing, DefectState
from app.defects.services import decisions
from app.errors import Invalid, NotFound
from app.fleet.rules.findings import Failure, Severity, SightingAnswer
from app.fleet.rules.vehicles import UPKEEP
from app.mileage.models import OdometerReading
from app.versions import version_of
from tests import factories
from tests.bench.recording import recording
from tests.upkeep.defect_steps import (
    BRAKES,
    DRIVER,
    KEY,
    MIRRORS,
    REG,
    TODAY,
    close,
    decide,
    found,
    kinds,
    numbers,
    repaired,
    reported,
    row,
    sent,
    sightings,
)

pytestmark = pytest.mark.usefixtures("driver_and_manager")


def test_each_failure_opens_a_defect_and_a_stop_takes_the_vehicle_off_the_road():
    assert sent(BRAKES, MIRRORS) == [
        "Stop: do not drive LK19 VTE. Brakes: fail (D-0001).",
        "Reported: Mirrors: cracked (D-0002).",
    ]
    assert [(row(n).severity, row(n).state) for n in numbers()] == [
        (Severity.STOP, DefectState.OPEN),
        (Severity.REPAIR, DefectState.OPEN),
    ]
    time = off_road.current_times([KEY])[KEY]
    assert (time.detail, time.defect_id) == ("Brakes: fail (D-0001)", row(1).id)
    assert kinds() == ["defect.opened", "defect.opened"]


def test_a_check_that_stops_its_vehicle_reads_it_once_and_raises_the_version_once():
    check = factories.check(REG, by=DRIVER)
    before = version_of(UPKEEP)
    with recording(db.engine) as recorded:
        found(check, BRAKES, MIRRORS)
    statements = [each.sql for part in recorded.transactions for each in part]
    assert len([sql for sql in statements if "FROM vehicle \n" in sql]) == 1
    assert version_of(UPKEEP) == before + 1


def test_a_check_without_failures_opens_nothing_and_gives_a_reading():
    assert (sent(), numbers()) == ([], [])
    assert db.session.scalars(select(OdometerReading.miles)).all() == [48_210]


def test_a_mileage_that_cannot_be_right_is_questioned_last():
    yesterday = TODAY - timedelta(days=1)
    found(factories.check(REG, by=DRIVER, day=yesterday, odometer=49_932))
    typo = factories.check(REG, by=DRIVER, odometer=499_680)
    reported_defect, question = found(typo, MIRRORS)
    assert reported_defect == "Reported: Mirrors: cracked (D-0001)."
    assert question.startswith("Is 499,680 right? It was 49,932 on ")
    assert question.endswith(". It isn't used until a manager accepts it.")


def test_damage_without_a_severity_is_not_assessed():
    sent(Failure("Damage", "Scratch on the left door", None))
    assert (row(1).severity, row(1).title) == (None, "Damage: scratch on the left door")


def test_what_is_not_assessed_stands_right_under_what_stops_the_vehicle():
    reported("Wipers", Severity.ADVISORY)
    reported("Tyres", Severity.REPAIR)
    reported("Dent")
    reported("Brakes", Severity.STOP)
    order = ["Brakes", "Dent", "Tyres", "Wipers"]
    assert [row.defect.part for row in defects_of_vehicle(KEY, limit=9)] == order
    assert [defect.part for defect in queries.open_defects([KEY])[KEY]] == order


def test_another_damage_is_another_defect_and_the_same_one_a_sighting():
    sent(Failure("Damage", "Scratch", None))
    sent(Failure("Damage", "Brake pipe leaking", None))
    sent(Failure("Damage", "SCRATCH", None))
    assert [row(number).title for number in numbers()] == [
        "Damage: scratch",
        "Damage: brake pipe leaking",
    ]


def test_a_part_that_fails_again_is_a_sighting_of_its_open_defect():
    sent(MIRRORS, day=TODAY - timedelta(days=3))
    since = dates.short_day(TODAY - timedelta(days=3))
    assert sent(replace(MIRRORS, part="MIRRORS")) == [
        f"Seen again: D-0001, reported 2 times since {since}."
    ]
    assert numbers() == [1]
    assert kinds() == ["defect.opened", "defect.seen"]


def test_one_check_twice_is_nothing_twice():
    check_id = factories.check(REG, by=DRIVER, day=TODAY)
    for _ in range(2):
        found(check_id, BRAKES, MIRRORS)
    assert numbers() == [1, 2]
    assert sightings(1) == sightings(2) == []
    other = factories.check(REG, by=DRIVER, day=TODAY)
    for _ in range(2):
        found(other, BRAKES)
    assert len(sightings(1)) == 1


def test_two_fields_of_one_part_are_one_defect_with_the_worse_severity():
    sent(Failure("Tyres", "Worn", Severity.ADVISORY), Failure("tyres", "Flat", Severity.STOP))
    assert [(row(n).title, row(n).severity) for n in numbers()] == [
        ("Tyres: worn, Flat", Severity.STOP)
    ]


def test_a_sighting_raises_a_severity_and_assessment_alone_lowers_it():
    sent(MIRRORS)
    sent(replace(MIRRORS, severity=Severity.ADVISORY))
    assert row(1).severity is Severity.REPAIR
    assert sent(replace(MIRRORS, severity=Severity.STOP))[0] == (
        "Stop: do not drive LK19 VTE. Mirrors: cracked (D-0001)."
    )
    assert row(1).severity is Severity.STOP
    assert KEY in off_road.current_times([KEY])
    decide(decisions.assess_defect, 1, Severity.ADVISORY)
    assert row(1).severity is Severity.ADVISORY


@pytest.mark.parametrize("answer", SightingAnswer)
def test_an_answer_about_an_open_defect_is_a_sighting_and_closes_nothing(answer):
    sent(MIRRORS)
    sentences = sent(answers={1: answer})
    assert [each.answer for each in sightings(1)] == [answer]
    assert row(1).state is DefectState.OPEN
    assert seen_again([row(1).id])[row(1).id].answer is answer
    is_absent = answer is SightingAnswer.ABSENT
    assert sentences[0].startswith("Reported gone: D-0001" if is_absent else "Seen again: D-0001")
    assert queries.reports_of(row(1))[0] == (1 if is_absent else 2)


@pytest.mark.parametrize("answer", [SightingAnswer.YES, SightingAnswer.WORSE])
def test_who_sees_a_defect_that_stops_the_vehicle_reads_that_first(answer):
    sent(BRAKES)
    stop = "Stop: do not drive LK19 VTE. Brakes: fail (D-0001)."
    sentences = sent(MIRRORS, answers={1: answer})
    assert (sentences[0], sentences[-1][:18]) == (stop, "Seen again: D-0001")
    assert reported("brakes", title="Brakes: Fail").message.startswith(stop)


def test_who_no_longer_sees_a_defect_is_stopped_until_it_is_signed_off():
    sent(BRAKES)
    stop, absent, *others = sent(answers={1: SightingAnswer.ABSENT})
    assert stop.startswith("Stop: do not drive LK19 VTE. Off the road since ")
    assert stop.endswith(": D-0001 is open.")
    assert absent.startswith("Reported gone: D-0001.")
    assert others == []


def test_an_answer_of_an_earlier_day_does_not_count_as_the_last():
    sent(MIRRORS, day=TODAY - timedelta(days=2))
    sent(day=TODAY, answers={1: SightingAnswer.YES})
    sent(day=TODAY - timedelta(days=1), answers={1: SightingAnswer.ABSENT})
    seen = seen_again([row(1).id])[row(1).id]
    assert (seen.times, seen.last_day, seen.answer) == (2, TODAY, SightingAnswer.YES)


def test_what_was_seen_before_the_day_of_a_report_moves_its_start_and_not_its_end():
    sent(MIRRORS)
    earlier = TODAY - timedelta(days=3)
    sent(day=TODAY - timedelta(days=1), answers={1: SightingAnswer.ABSENT})
    (sentence,) = sent(MIRRORS, day=earlier)
    assert sentence == f"Seen again: D-0001, reported 2 times since {dates.short_day(earlier)}."
    seen = seen_again([row(1).id])[row(1).id]
    assert (seen.last_seen(row(1).day), seen.answer) == (TODAY, None)
    ((_, exported, _),) = all_defects([])
    assert exported == seen


def test_a_failure_whose_defect_was_answered_is_not_counted_twice():
    sent(MIRRORS)
    sent(replace(MIRRORS, severity=Severity.STOP), answers={1: SightingAnswer.ABSENT})
    assert [each.answer for each in sightings(1)] == [SightingAnswer.YES]
    assert row(1).severity is Severity.STOP


@pytest.mark.parametrize("answers", [{}, {1: SightingAnswer.YES}], ids=["a failure", "answered"])
def test_a_sighting_keeps_the_title_of_a_failure_that_the_defect_lacks(answers):
    sent(MIRRORS)
    sent(MIRRORS, answers=answers)
    sent(replace(MIRRORS, value="Missing"), answers=answers)
    assert [each.detail for each in sightings(1)] == ["", "Mirrors: missing"]


def test_an_answer_about_another_vehicles_defect_changes_nothing():
    sent(MIRRORS)
    assert sent(answers={1: SightingAnswer.WORSE, 77: SightingAnswer.YES}, reg="AB12 CDE") == []
    assert sightings(1) == []


def test_a_check_of_a_day_before_the_repair_tells_nothing_new():
    sent(BRAKES, day=TODAY - timedelta(days=5))
    repaired(1, TODAY - timedelta(days=2))
    yesterday = dates.short_day(TODAY - timedelta(days=2))
    for state in (DefectState.REPAIRED, DefectState.CLOSED):
        assert row(1).state is state
        stop, sentence = sent(BRAKES, day=TODAY - timedelta(days=3))
        assert stop.endswith(": D-0001 is repaired but not signed off.") is (
            state is DefectState.REPAIRED
        )
        assert sentence == f"D-0001 was repaired on {yesterday}, after this was seen. Kept with it."
        if state is DefectState.REPAIRED:
            decide(decisions.sign_off_defect, 1)
    assert numbers() == [1]
    assert [each.is_before_repair for each in sightings(1)] == [True, True]
    assert queries.reports_of(row(1))[0] == 1


def test_on_the_day_of_the_repair_the_time_of_a_check_that_waited_decides():
    sent(MIRRORS, day=TODAY)
    repaired(1, TODAY)
    decide(decisions.sign_off_defect, 1)
    waited = factories.check(REG, by=DRIVER, day=TODAY)
    found(waited, MIRRORS, made_at=dates.utc_now() - timedelta(hours=3))
    assert numbers() == [1]
    sent(MIRRORS, day=TODAY)
    assert numbers() == [1, 2]


def test_what_a_check_finds_on_the_day_of_a_repair_recorded_later_is_seen_again():
    yesterday = TODAY - timedelta(days=1)
    sent(BRAKES, day=yesterday)
    repaired(1, yesterday)
    waited = factories.check(REG, by=DRIVER, day=yesterday)
    first, *_ = found(waited, BRAKES, made_at=dates.end_of_day(yesterday) - timedelta(hours=4))
    assert first == "Stop: do not drive LK19 VTE. Brakes: fail (D-0001)."


@pytest.mark.parametrize(
    ("failures", "answers"), [([MIRRORS], {}), ([], {1: SightingAnswer.YES})], ids=["fails", "told"]
)
def test_a_closed_defect_is_never_opened_again_but_named_by_the_next(failures, answers):
    sent(MIRRORS, day=TODAY - timedelta(days=9))
    close(1)
    sent(*failures, answers=answers)
    assert (row(1).state, row(2).repeat_of_id) == (DefectState.CLOSED, row(1).id)
    assert (row(2).title, row(2).severity) == ("Mirrors: cracked", Severity.REPAIR)


def test_what_is_accepted_opens_nothing_until_its_day_unless_it_gets_worse():
    sent(MIRRORS, day=TODAY)
    until = TODAY + timedelta(days=30)
    close(1, Closing.ACCEPTED, accepted_until=until)
    assert sent(MIRRORS) == [f"D-0001 is accepted until {dates.format_day(until)}. Kept with it."]
    assert numbers() == [1]
    sent(replace(MIRRORS, severity=Severity.STOP))
    assert row(2).repeat_of_id == row(1).id


def test_an_answer_about_accepted_damage_is_kept_with_it_unless_it_is_worse():
    sent(Failure("Damage", "Dent at the rear", None))
    until = TODAY + timedelta(days=30)
    close(1, Closing.ACCEPTED, accepted_until=until)
    assert sent(answers={1: SightingAnswer.YES}) == [
        f"D-0001 is accepted until {dates.format_day(until)}. Kept with it."
    ]
    assert [each.answer for each in sightings(1)] == [SightingAnswer.YES]
    sent(answers={1: SightingAnswer.WORSE})
    assert (row(2).part, row(2).repeat_of_id) == (row(1).part, row(1).id)


def test_a_duplicate_is_a_sighting_of_the_other_and_so_is_what_fails_there_again():
    sent(MIRRORS)
    reported("Nearside mirror", Severity.STOP)
    close(2, Closing.DUPLICATE, duplicate_of=1)
    assert (row(2).state, row(2).duplicate_of_id) == (DefectState.CLOSED, row(1).id)
    assert row(1).severity is Severity.STOP
    reported("nearside mirror")
    assert numbers() == [1, 2]
    assert queries.reports_of(row(1))[0] == 3


@pytest.mark.parametrize("is_repaired_first", [True, False])
def test_a_duplicate_was_seen_when_it_was_reported(is_repaired_first):
    sent(MIRRORS)
    if is_repaired_first:
        repaired(1)
    reported("Nearside mirror")
    if not is_repaired_first:
        repaired(1)
    close(2, Closing.DUPLICATE, duplicate_of=1)
    seen_after = {row(1).id: TODAY} if is_repaired_first else {}
    assert queries.seen_after_repair([row(1)]) == seen_after


def test_a_defect_is_no_duplicate_of_itself_a_closed_one_none_or_another_vehicles():
    sent(MIRRORS, BRAKES)
    factories.vehicle("AB12 CDE")
    sent(MIRRORS, reg="AB12 CDE")
    close(2)
    for other in (1, 2, 3, 99):
        with pytest.raises(Invalid) as refused:
            close(1, Closing.DUPLICATE, duplicate_of=other)
        assert refused.value.field == "duplicate_of"
    with pytest.raises(NotFound):
        close(99, Closing.NO_FAULT)
    assert row(1).state is DefectState.OPEN
