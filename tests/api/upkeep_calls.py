"""The JSON calls of upkeep."""

from tests.api.call import SHARED, call_of
from tests.api.shapes import TEXT_OR_NULL, Each

DEFECT = {
    **dict.fromkeys(("number", "reg", "part", "title", "detail", "state", "since"), str),
    **dict.fromkeys(("reportedBy", "reportedAt", "lastSeen", "garage", "closingReason"), str),
    **dict.fromkeys(("severity", "lastAnswer", "assessedBy", "assessedAt"), TEXT_OR_NULL),
    **dict.fromkeys(("bookedFor", "repeatOf", "duplicateOf", "closing"), TEXT_OR_NULL),
    **dict.fromkeys(("acceptedUntil", "closedBy", "closedAt"), TEXT_OR_NULL),
    "checkId": int | None,
    "odometer": int | None,
    "timesSeen": int,
}
ONE = {"number": 1}

DEFECTS = (
    call_of("GET", "/defects", SHARED, Each(DEFECT)),
    call_of(
        "POST",
        "/defects",
        SHARED,
        DEFECT | {"isNew": bool, "message": str},
        status=201,
        body={"reg": "LK19 VTE", "part": "Horn", "title": "Horn silent", "severity": "repair"},
        varies=True,
    ),
    call_of("GET", "/defects/{number}", SHARED, DEFECT, at=ONE),
    call_of(
        "PATCH",
        "/defects/{number}",
        SHARED,
        DEFECT,
        at=ONE,
        body={"severity": "repair", "garage": "Kwik-Fix"},
        replaces=True,
        varies=True,
    ),
    call_of(
        "POST",
        "/defects/{number}/notes",
        SHARED,
        DEFECT,
        status=201,
        at=ONE,
        body={"text": "The glass is ordered."},
    ),
    call_of(
        "POST",
        "/defects/{number}/close",
        SHARED,
        DEFECT,
        at=ONE,
        body={"closing": "no_fault", "reason": "Only dirt."},
        replaces=True,
        record="/defects/{number}",
        varies=True,
    ),
)

UPKEEP = (*DEFECTS,)
