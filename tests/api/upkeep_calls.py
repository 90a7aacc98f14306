"""The JSON calls of upkeep."""

from app import dates
from tests.api.call import SHARED, call_of
from tests.api.filled import DOCUMENT
from tests.api.filled_upkeep import DOUBTFUL, IN_USE, OFF_ROAD, WAS_DONE
from tests.api.replies import DONE, DUE, DUE_ITEM, ON_RECORD, PLAN, READING
from tests.api.shapes import NUMBER, TEXT_OR_NULL, Each
from tests.attachments.files import sha256

DEFECT = {
    **dict.fromkeys(("number", "reg", "part", "title", "detail", "state", "since"), str),
    **dict.fromkeys(("reportedBy", "reportedAt", "lastSeen", "garage", "closingReason"), str),
    **dict.fromkeys(("severity", "lastAnswer", "assessedBy", "assessedAt"), TEXT_OR_NULL),
    **dict.fromkeys(("bookedFor", "repeatOf", "duplicateOf", "closing"), TEXT_OR_NULL),
    **dict.fromkeys(("acceptedUntil", "closedBy", "closedAt"), TEXT_OR_NULL),
    "checkId": int | None,
    "odometer": int | None,
    "timesSeen": int,
    "attachments": list,
}
ONE = {"number": "D-0001"}
ATTACHED = {"attachments": [{"name": "quote.pdf", "id": sha256(DOCUMENT)}]}

DEFECTS = (
    call_of("GET", "/defects", SHARED, Each(DEFECT)),
    call_of(
        "POST",
        "/defects",
        SHARED,
        DEFECT | {"isNew": bool, "message": str},
        status=201,
        body={"reg": "LK19 VTE", "part": "Horn", "title": "Horn silent", "severity": "repair"},
    ),
    call_of("GET", "/defects/{number}", SHARED, DEFECT | {"timeline": list}, at=ONE),
    call_of(
        "PATCH",
        "/defects/{number}",
        SHARED,
        DEFECT,
        at=ONE,
        body={"severity": "repair", "garage": "Kwik-Fix"},
        replaces=True,
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
        "POST", "/defects/{number}/attachments", SHARED, DEFECT, status=201, at=ONE, body=ATTACHED
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
    ),
)

REPAIR = {
    **dict.fromkeys(("number", "reg", "finishedOn", "garage", "invoiceNumber", "note"), str),
    **dict.fromkeys(("recordedBy", "recordedAt"), str),
    **dict.fromkeys(("startedOn", "warrantyUntil", "reverses", "reversedBy"), TEXT_OR_NULL),
    **dict.fromkeys(("odometer", "warrantyMiles"), int | None),
    **dict.fromkeys(("labour", "parts", "other", "total"), NUMBER),
    "includesVat": bool,
    "defects": list,
    "stockParts": list,
    "attachments": list,
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
    call_of("GET", "/repairs", SHARED, Each(REPAIR)),
    call_of(
        "POST",
        "/repairs",
        SHARED,
        REPAIR | {"labour": 35.5, "total": 35.5, "defects": ["D-0001"], "warnings": list},
        status=201,
        body=DONE_REPAIR,
    ),
    call_of("GET", "/repairs/{number}", SHARED, REPAIR | ONE_REPAIR, at=ONE_REPAIR),
    call_of(
        "POST",
        "/repairs/{number}/attachments",
        SHARED,
        REPAIR,
        status=201,
        at=ONE_REPAIR,
        body=ATTACHED,
    ),
    call_of(
        "POST",
        "/repairs/{number}/reverse",
        SHARED,
        REPAIR | {"reverses": "R-0001", "warnings": list},
        status=201,
        at=ONE_REPAIR,
    ),
)

TIME_OFF = {
    **dict.fromkeys(("reg", "since", "reason", "detail", "openedBy", "closedBy", "note"), str),
    **dict.fromkeys(("until", "defect", "expectedBack"), TEXT_OR_NULL),
    "overrideReason": str,
    "id": int,
    "objections": list,
}
OF_VEHICLE = {"reg": OFF_ROAD}

TIMES_OFF = (
    call_of("GET", "/vehicles/{reg}/off-road", SHARED, Each(TIME_OFF), at=OF_VEHICLE),
    call_of(
        "POST",
        "/vehicles/{reg}/off-road",
        SHARED,
        TIME_OFF | {"until": None},
        status=201,
        at=OF_VEHICLE,
        body={"reason": "service", "detail": "Gearbox"},
    ),
    call_of(
        "POST",
        "/vehicles/{reg}/return",
        SHARED,
        TIME_OFF | {"until": str},
        at=OF_VEHICLE,
        body={"note": "Driven without findings"},
    ),
)

DUE_ITEMS = (
    call_of("GET", "/due", SHARED, Each(DUE)),
    call_of(
        "POST",
        "/due",
        SHARED,
        DUE,
        status=201,
        body={"regs": ["LK19 VTE"], "kind": "service", "dueOn": "2026-12-03", "dueMiles": None},
    ),
    call_of("GET", "/due/{item_id}", SHARED, DUE_ITEM, at={"item_id": 1}),
    call_of(
        "POST",
        "/due/{item_id}/done",
        SHARED,
        DONE,
        status=201,
        at={"item_id": 1},
        body={"doneOn": "2026-01-15", "nextDueOn": "2027-01-14", "cost": 54.85},
        replaces=True,
        record="/due/{item_id}",
    ),
    call_of(
        "POST",
        "/due/{item_id}/snooze",
        SHARED,
        DUE,
        at={"item_id": 2},
        body=lambda _: {"until": dates.today().isoformat(), "reason": "Booked"},
        replaces=True,
        record="/due/{item_id}",
    ),
    call_of(
        "PATCH",
        "/due/{item_id}",
        SHARED,
        DUE | {"dueOn": "2026-02-01"},
        at={"item_id": 1},
        body={"dueOn": "2026-02-01"},
        replaces=True,
    ),
    call_of(
        "POST",
        "/due/{item_id}/withdraw",
        SHARED,
        DUE_ITEM | {"closing": "withdrawn"},
        at={"item_id": 2},
        replaces=True,
        record="/due/{item_id}",
    ),
    call_of(
        "POST",
        "/due/{item_id}/done/{done_id}/undo",
        SHARED,
        DUE_ITEM | {"closing": None},
        at={"item_id": WAS_DONE, "done_id": 1},
    ),
    call_of("GET", "/plans", SHARED, Each(PLAN)),
    call_of(
        "POST",
        "/plans",
        SHARED,
        PLAN | {"effects": str},
        status=201,
        body={"label": "Tyres", "kind": "tyres", "applies": "all", "everyMonths": 12},
    ),
    call_of("GET", "/plans/{plan_id}", SHARED, PLAN, at={"plan_id": 1}),
    call_of(
        "PATCH",
        "/plans/{plan_id}",
        SHARED,
        PLAN | {"everyMonths": 6, "effects": str},
        at={"plan_id": 1},
        body={"label": "Inspection", "everyMonths": 6},
        replaces=True,
    ),
    call_of(
        "POST",
        "/plans/{plan_id}/withdraw",
        SHARED,
        PLAN | {"isActive": False, "openItems": 0, "effects": str},
        at={"plan_id": 1},
        replaces=True,
        record="/plans/{plan_id}",
    ),
    call_of("GET", "/readings", SHARED, Each(READING)),
    call_of(
        "POST",
        "/readings",
        SHARED,
        READING,
        status=201,
        body={"reg": "LK19 VTE", "day": "2026-01-15", "miles": 48_300},
    ),
    call_of(
        "POST",
        "/readings/{reading_id}/void",
        SHARED,
        READING,
        at={"reading_id": IN_USE},
        body={"reason": "Typing error"},
    ),
    call_of(
        "POST",
        "/readings/{reading_id}/accept",
        SHARED,
        READING,
        at={"reading_id": DOUBTFUL},
        body={"voidOthers": True},
    ),
    call_of("GET", "/record", SHARED, Each(ON_RECORD)),
    call_of(
        "GET",
        "/costs",
        SHARED,
        {
            "from": str,
            "to": str,
            "costGBP": NUMBER,
            "miles": int,
            "perMileGBP": NUMBER | None,
            "kinds": Each({"kind": str, "costGBP": NUMBER}),
            "months": Each({"month": str, "kind": str, "costGBP": NUMBER}),
            "vehicles": Each(
                {"reg": str, "costGBP": NUMBER, "miles": NUMBER | None, "perMileGBP": NUMBER | None}
            ),
        },
    ),
)

UPKEEP = (*DEFECTS, *REPAIRS, *TIMES_OFF, *DUE_ITEMS)
