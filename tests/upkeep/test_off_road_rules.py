"""What the board says of a vehicle that is off the road; without a database."""

from datetime import date

import pytest

from app.defects.models import Defect
from app.defects.rules.fields import DefectState, OffRoadReason
from app.defects.rules.off_road import describe_reason, other_reasons

BRAKES, LIGHT = "Brakes: fail (D-0018)", "Light: broken (D-0027)"
SEEN = date(2026, 11, 23)
REPAIRED = "Repaired, waiting for a sign-off: D-0018"


def stop(number, state, garage="", seen=None):
    return Defect(id=number, number=number, title="Worn", state=state, garage=garage), seen


CASES = {
    "an open defect": (OffRoadReason.DEFECT, [BRAKES], [stop(18, DefectState.OPEN)], [BRAKES]),
    "a reason alone": (OffRoadReason.SORN, [], [], ["SORN"]),
    "another reason beside a repair": (
        OffRoadReason.DEFECT,
        [BRAKES, "Accident: Hit a bollard"],
        [stop(18, DefectState.REPAIRED)],
        ["Accident: Hit a bollard", REPAIRED],
    ),
    "a repair that was seen again": (
        OffRoadReason.ACCIDENT,
        [BRAKES],
        [stop(18, DefectState.REPAIRED, seen=SEEN)],
        ["Accident", REPAIRED, "Seen again on 23 Nov, after the repair"],
    ),
    "a garage of another defect": (
        OffRoadReason.DEFECT,
        [BRAKES, LIGHT],
        [stop(18, DefectState.REPAIRED, "Hartley’s Garage"), stop(27, DefectState.OPEN)],
        [LIGHT, REPAIRED],
    ),
    "two garages": (
        OffRoadReason.DEFECT,
        [BRAKES, LIGHT],
        [stop(18, DefectState.BOOKED, "Hartley’s Garage"), stop(27, DefectState.OPEN)],
        [f"{BRAKES}, with Hartley’s Garage", LIGHT],
    ),
    "a closed defect beside an open one": (
        OffRoadReason.DEFECT,
        [BRAKES, LIGHT],
        [stop(27, DefectState.OPEN)],
        [LIGHT],
    ),
    "nothing but closed defects": (OffRoadReason.DEFECT, [BRAKES], [], [BRAKES]),
}


@pytest.mark.parametrize(("reason", "detail", "defects", "expected"), CASES.values(), ids=CASES)
def test_every_reason_that_lasts_is_named_with_its_own_garage(reason, detail, defects, expected):
    rows = [row for row, _ in defects]
    seen_after = {row.id: seen for row, seen in defects if seen}
    assert describe_reason(reason, "\n".join(detail), rows, seen_after) == expected


def test_a_reason_that_mentions_a_defect_lasts_when_that_is_mended():
    hit = "Accident: Hit while braking, see D-0018 too"
    assert other_reasons(OffRoadReason.DEFECT, f"{BRAKES}\n{hit}") == [hit]
