"""The rules of defects: severities, states, closings, and what is seen too late."""

from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.dates import weekday
from app.defects.models import Defect
from app.defects.rules import defects as rules
from app.defects.rules.defects import ClosingChoice, Settled
from app.defects.rules.fields import Closing, DefectState
from app.errors import Conflict, Invalid
from app.fleet.rules.findings import Severity

DAY = date(2026, 11, 20)
AT = datetime(2026, 11, 20, 10, 42, tzinfo=UTC)
severities = st.sampled_from([None, *Severity])


@given(st.lists(severities, min_size=1))
def test_sightings_in_any_order_leave_the_highest_severity(seen):
    forwards = backwards = None
    for severity in seen:
        forwards = rules.merge_severity(forwards, severity)
    for severity in reversed(seen):
        backwards = rules.merge_severity(backwards, severity)
    assert forwards == backwards
    assert rules.rank(forwards) == max(map(rules.rank, seen))


@given(severities, severities)
def test_a_sighting_never_lowers_a_severity(before, seen):
    assert rules.rank(rules.merge_severity(before, seen)) >= rules.rank(before)


@pytest.mark.parametrize("first", ["Nearside  mirror", "NEARSIDE MIRROR", " nearside mirror "])
def test_a_part_has_one_key_however_it_is_written(first):
    assert rules.part_key(first) == rules.part_key("nearside mirror")


@pytest.mark.parametrize("state", DefectState)
def test_an_unrepaired_defect_is_booked_in_or_repaired_and_a_repaired_one_signed_off(state):
    for check, allowed in (
        (rules.check_unrepaired, rules.UNREPAIRED),
        (rules.check_sign_off, {DefectState.REPAIRED}),
    ):
        with nullcontext() if state in allowed else pytest.raises(Conflict):
            check(state, "D-0142")


def test_assessing_a_repaired_defect_sends_it_back():
    assert rules.state_after_assessment(DefectState.REPAIRED) is DefectState.ASSESSED
    assert rules.state_after_assessment(DefectState.BOOKED) is DefectState.BOOKED


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        (ClosingChoice(Closing.NO_FAULT), "reason"),
        (ClosingChoice(Closing.DUPLICATE, "the same"), "duplicate_of"),
        (ClosingChoice(Closing.ACCEPTED, "", accepted_until=DAY + timedelta(days=1)), "reason"),
        (ClosingChoice(Closing.ACCEPTED, "old"), "accepted_until"),
        (ClosingChoice(Closing.ACCEPTED, "old", accepted_until=DAY), "accepted_until"),
        (
            ClosingChoice(Closing.ACCEPTED, "old", accepted_until=DAY + timedelta(days=400)),
            "accepted_until",
        ),
        (ClosingChoice(Closing.REPAIRED, "done"), "closing"),
        (ClosingChoice(Closing.VEHICLE_LEFT, "sold"), "closing"),
    ],
)
def test_a_closing_without_what_it_requires_is_refused_at_its_field(choice, field):
    with pytest.raises(Invalid) as refused:
        rules.check_closing(choice, Defect(state=DefectState.OPEN), DAY)
    assert refused.value.field == field


def test_a_defect_that_stops_its_vehicle_cannot_be_accepted():
    choice = ClosingChoice(Closing.ACCEPTED, "it is", accepted_until=DAY + timedelta(days=9))
    with pytest.raises(Invalid, match="Assess it lower first"):
        rules.check_closing(choice, Defect(state=DefectState.ASSESSED, severity=Severity.STOP), DAY)


def test_a_repaired_defect_is_signed_off_and_not_closed_otherwise():
    choice = ClosingChoice(Closing.NO_FAULT, "nothing there")
    with pytest.raises(Conflict, match="D-0142 is repaired"):
        rules.check_closing(choice, Defect(number=142, state=DefectState.REPAIRED), DAY)


@given(
    st.dates(date(2026, 11, 1), date(2026, 12, 1)),
    st.one_of(st.none(), st.integers(-600, 600).map(lambda m: AT + timedelta(minutes=m))),
)
def test_only_the_day_of_a_repair_needs_the_time_of_a_check(day, made_at):
    is_before = rules.is_before(day, made_at, Settled(DAY, AT))
    if day != DAY:
        assert is_before == (day < DAY)
    else:
        assert is_before == (made_at is not None and made_at < AT)


@given(severities, severities, st.integers(-3, 3))
def test_what_is_accepted_stays_so_until_its_day_unless_it_gets_worse(accepted, seen, days):
    day = DAY + timedelta(days=days)
    defect = Defect(closing=Closing.ACCEPTED, accepted_until=DAY, severity=accepted)
    is_accepted = rules.is_accepted(defect, seen, day)
    assert is_accepted == (days <= 0 and rules.rank(seen) <= rules.rank(accepted))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            rules.stop_sentence("LK19 VTE", [rules.name_defect("D-0142", "Brakes: fail")]),
            "Stop: do not drive LK19 VTE. Brakes: fail (D-0142).",
        ),
        (
            rules.seen_sentence("D-0142", 5, date(2026, 11, 3), today=DAY),
            "Seen again: D-0142, reported 5 times since 3 Nov.",
        ),
        (
            rules.seen_sentence("D-0142", 2, date(2020, 1, 1), today=DAY),
            "Seen again: D-0142, reported 2 times since 1 Jan 2020.",
        ),
        (rules.describe_closing("D-0142", Closing.REPAIRED), "signed D-0142 off"),
        (rules.describe_closing("D-0142", Closing.NO_FAULT), "closed D-0142 (no fault found)"),
        (
            rules.describe_standing(
                Defect(state=DefectState.BOOKED, booked_for=date(2026, 11, 23)), DAY
            ),
            "booked in for Mon 23 Nov",
        ),
        (weekday(date(2027, 1, 4), DAY), "Mon 4 Jan 2027"),
        (
            rules.describe_severity(Severity.ADVISORY, is_off_road=True),
            "This defect alone wouldn't stop it; the vehicle is off the road.",
        ),
        (
            rules.describe_severity(Severity.ADVISORY, is_off_road=False),
            "May be driven; keep an eye on it.",
        ),
    ],
)
def test_people_read_whole_sentences(text, expected):
    assert text == expected


def test_the_way_of_a_defect_marks_where_it_is():
    assert rules.steps(DefectState.BOOKED, None) == [
        ("Reported", "past"),
        ("Assessed", "past"),
        ("Booked in", "current"),
        ("Repaired", ""),
        ("Signed off", ""),
    ]
    assert rules.steps(DefectState.CLOSED, Closing.NO_FAULT)[-1] == ("No fault found", "current")
