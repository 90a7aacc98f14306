"""The JSON calls of upkeep."""

from typing import Any

from app import dates
from tests.api.call import SHARED, Call, call_of
from tests.api.filled import DOCUMENT
from tests.api.filled_upkeep import DOUBTFUL, IN_USE, OFF_ROAD, WAS_DONE
from tests.api.replies import DONE, DUE, DUE_ITEM, ON_RECORD, PLAN, READING, each
from tests.api.shapes import NUMBER, TEXT_OR_NULL, Each
from tests.attachments.files import sha256


def _call(called: str, reply: Any, body: Any = None, **options: Any) -> Call:
    return call_of(called, SHARED, reply, body=body, **options)


DEFECT = {
    **each(str, "number reg part title detail state since reportedBy reportedAt lastSeen garage"),
    **each(
        TEXT_OR_NULL, "severity lastAnswer assessedBy assessedAt bookedFor repeatOf duplicateOf"
    ),
    **each(TEXT_OR_NULL, "closing acceptedUntil closedBy closedAt"),
    **each(int | None, "checkId odometer"),
    "closingReason": str,
    "timesSeen": int,
    "attachments": list,
}
ONE = {"number": "D-0001"}
ATTACHED = {"attachments": [{"name": "quote.pdf", "id": sha256(DOCUMENT)}]}

DEFECTS = (
    _call("GET /defects", Each(DEFECT)),
    _call(
        "POST /defects",
        DEFECT | {"isNew": bool, "message": str},
        status=201,
        body={"reg": "LK19 VTE", "part": "Horn", "title": "Horn silent", "severity": "repair"},
    ),
    _call("GET /defects/{number}", DEFECT | {"timeline": list}, at=ONE),
    _call(
        "PATCH /defects/{number}",
        DEFECT,
        at=ONE,
        body={"severity": "repair", "garage": "Kwik-Fix"},
        replaces=True,
    ),
    _call(
        "POST /defects/{number}/notes",
        DEFECT,
        status=201,
        at=ONE,
        body={"text": "The glass is ordered."},
    ),
    _call("POST /defects/{number}/attachments", DEFECT, status=201, at=ONE, body=ATTACHED),
    _call(
        "POST /defects/{number}/close",
        DEFECT,
        at=ONE,
        body={"closing": "no_fault", "reason": "Only dirt."},
        record="/defects/{number}",
    ),
)

REPAIR = {
    **each(str, "number reg finishedOn garage invoiceNumber note recordedBy recordedAt"),
    **each(TEXT_OR_NULL, "startedOn warrantyUntil reverses reversedBy"),
    **each(int | None, "odometer warrantyMiles"),
    **each(NUMBER, "labour parts other total"),
    **each(list, "defects stockParts attachments"),
    "includesVat": bool,
}
ONE_REPAIR = {"number": "R-0001"}
DONE_REPAIR = {
    "reg": "LK19 VTE",
    "defects": ["D-0001"],
    "finishedOn": "2026-01-15",
    "labour": 35.5,
    "note": "Glass replaced",
}

REPAIRS = (
    _call("GET /repairs", Each(REPAIR)),
    _call(
        "POST /repairs",
        REPAIR | {"labour": 35.5, "total": 35.5, "defects": ["D-0001"], "warnings": list},
        status=201,
        body=DONE_REPAIR,
    ),
    _call("GET /repairs/{number}", REPAIR | ONE_REPAIR, at=ONE_REPAIR),
    _call("POST /repairs/{number}/attachments", REPAIR, status=201, at=ONE_REPAIR, body=ATTACHED),
    _call(
        "POST /repairs/{number}/reverse",
        REPAIR | {"reverses": "R-0001", "warnings": list},
        status=201,
        at=ONE_REPAIR,
    ),
)

TIME_OFF = {
    **each(str, "reg since reason detail openedBy closedBy note overrideReason"),
    **each(TEXT_OR_NULL, "until defect expectedBack"),
    "id": int,
    "objections": list,
}
OF_VEHICLE = {"reg": OFF_ROAD}

TIMES_OFF = (
    _call("GET /vehicles/{reg}/off-road", Each(TIME_OFF), at=OF_VEHICLE),
    _call(
        "POST /vehicles/{reg}/off-road",
        TIME_OFF | {"until": None},
        status=201,
        at=OF_VEHICLE,
        body={"reason": "service", "detail": "Gearbox"},
    ),
    _call(
        "POST /vehicles/{reg}/return",
        TIME_OFF | {"until": str},
        at=OF_VEHICLE,
        body={"note": "Driven without findings"},
    ),
)

DUE_ITEMS = (
    _call("GET /due", Each(DUE)),
    _call(
        "POST /due",
        DUE,
        status=201,
        body={"regs": ["LK19 VTE"], "kind": "service", "dueOn": "2026-12-03", "dueMiles": None},
    ),
    _call("GET /due/{item_id}", DUE_ITEM, at={"item_id": 1}),
    _call(
        "POST /due/{item_id}/done",
        DONE,
        status=201,
        at={"item_id": 1},
        body={"doneOn": "2026-01-15", "nextDueOn": "2027-01-14", "cost": 54.85},
        record="/due/{item_id}",
    ),
    _call(
        "POST /due/{item_id}/snooze",
        DUE,
        at={"item_id": 2},
        body=lambda _: {"until": dates.today().isoformat(), "reason": "Booked"},
        record="/due/{item_id}",
    ),
    _call(
        "PATCH /due/{item_id}",
        DUE | {"dueOn": "2026-02-01"},
        at={"item_id": 1},
        body={"dueOn": "2026-02-01"},
        replaces=True,
    ),
    _call(
        "POST /due/{item_id}/withdraw",
        DUE_ITEM | {"closing": "withdrawn"},
        at={"item_id": 2},
        record="/due/{item_id}",
    ),
    _call(
        "POST /due/{item_id}/done/{done_id}/undo",
        DUE_ITEM | {"closing": None},
        at={"item_id": WAS_DONE, "done_id": 1},
    ),
    _call("GET /plans", Each(PLAN)),
    _call(
        "POST /plans",
        PLAN | {"effects": str},
        status=201,
        body={"label": "Tyres", "kind": "tyres", "applies": "all", "everyMonths": 12},
    ),
    _call("GET /plans/{plan_id}", PLAN, at={"plan_id": 1}),
    _call(
        "PATCH /plans/{plan_id}",
        PLAN | {"everyMonths": 6, "effects": str},
        at={"plan_id": 1},
        body={"label": "Inspection", "everyMonths": 6},
        replaces=True,
    ),
    _call(
        "POST /plans/{plan_id}/withdraw",
        PLAN | {"isActive": False, "openItems": 0, "effects": str},
        at={"plan_id": 1},
        record="/plans/{plan_id}",
    ),
    _call("GET /readings", Each(READING)),
    _call(
        "POST /readings",
        READING,
        status=201,
        body={"reg": "LK19 VTE", "day": "2026-01-15", "miles": 48_300},
    ),
    _call(
        "POST /readings/{reading_id}/void",
        READING,
        at={"reading_id": IN_USE},
        body={"reason": "Typing error"},
    ),
    _call(
        "POST /readings/{reading_id}/accept",
        READING,
        at={"reading_id": DOUBTFUL},
        body={"voidOthers": True},
    ),
    _call("GET /record", Each(ON_RECORD)),
    _call(
        "GET /costs",
        {
            "from": str,
            "to": str,
            "miles": int,
            "costGBP": NUMBER,
            "perMileGBP": NUMBER | None,
            "kinds": Each({"kind": str, "costGBP": NUMBER}),
            "months": Each({"month": str, "kind": str, "costGBP": NUMBER}),
            "vehicles": Each(
                {"reg": str, "costGBP": NUMBER} | each(NUMBER | None, "miles perMileGBP")
            ),
        },
    ),
)

UPKEEP = (*DEFECTS, *REPAIRS, *TIMES_OFF, *DUE_ITEMS)
