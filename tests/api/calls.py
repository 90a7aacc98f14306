"""Every JSON call: an example request and the shape of its reply."""

import hashlib
from collections.abc import Iterator
from typing import Any

from tests.api import replies
from tests.api.booking_calls import BOOKINGS
from tests.api.call import (
    ANYBODY,
    DESK,
    EITHER_STOCK,
    FLEET,
    GFM,
    GFM_ALONE,
    GPM,
    GPM_STOCK,
    REGISTER,
    SENDERS,
    SHARED,
    STOCK,
    Call,
    Served,
)
from tests.api.call import call_of as _call
from tests.api.filled import DOCUMENT, GFM_PENDING, PENDING, PHOTO
from tests.api.import_calls import IMPORTS
from tests.api.shapes import NUMBER, Each
from tests.api.upkeep_calls import UPKEEP
from tests.person import PASSWORD

MAIN = {"site": "main"}
ATTACHED, OF_VIEW = {"attachment_id": 1}, {"view_id": 1}
OF_CHECK = {"check_id": 1, "position": 0}
OPS = {
    "ops": [{"type": "inc", "id": "Red heart", "delta": 2}],
    "reason": "Found behind the shelf",
    "team": "Kitchen",
    "ts": "2026-01-15T12:00:00Z",
}
LIST = [{"item": "Red heart", "amount": 3, "category": "Glass", "unitPrice": 2.1}]
LINES = {"action": "delivery", "lines": [{"name": "Red heart", "qty": 2}], "date": "2026-01-15"}
SHEET = b"item,expected,counted\r\nRed heart,10,9\r\n"
READ_SHEET = {"lines": [{"id": "Red heart", "expected": 10, "counted": 9}], "found": []}
ORDER = {
    "item": "Glass cloche",
    "amount": 6,
    "unitCost": 7.95,
    "supplier": "Glass & Co",
    "office": "main",
    "orderedBy": "Ann",
    "orderedDate": "2026-01-15",
}
EXPECTED = {"expectedDate": "2026-01-30"}
ARRIVAL = {"deliveredDate": "2026-01-20T10:00:00Z", "confirmation": "DN 7", "recipient": "Bob"}
CHECKED = {
    "reg": "LK19 VTE",
    "date": "2026-01-15",
    "odometer": 48300,
    "items": {"Damage": "None"},
    "notes": "",
    "photos": [],
    "_formType": "mixed",
}
REPORT = {
    "question": str,
    "from": str,
    "to": str,
    "rows": Each(
        {
            "item": str,
            "site": str,
            "amount": int,
            "unit": str,
            "valueGBP": NUMBER,
            "lastWithdrawn": str | None,
            "elsewhere": str,
        }
    ),
}
LEVEL = {"item": "Heart bunting", "minimum": 9, "target": 12, "pack": 3, "source": "supplier"}
LEVEL |= {"supplier": "Glass & Co", "fromSite": None, "leadDays": 14}
LEVEL_SHAPE = {**replies.each(str, "item source supplier"), "fromSite": str | None}
LEVEL_SHAPE |= {**dict.fromkeys(("minimum", "target", "leadDays"), int | None), "pack": int}
TO_ORDER = {"item": "Red heart", "quantity": 6, "from": None, "supplier": "", "here": 10}
TO_ORDER |= {"onOrder": 0, "available": 0}
REORDER = {**replies.each(str, "item supplier why"), "from": str | None, "daysLeft": int | None}
REORDER |= {**replies.each(int, "quantity here onOrder available minimum"), "cost": NUMBER}
TRANSFER = {
    "source": "main",
    "destination": "guildford",
    "lines": [{"name": "Red heart", "qty": 2}],
    "date": "2026-01-15",
}


def _uploads(folder: str, body: bytes, content_type: str, reply: Any) -> Iterator[Call]:
    """Yield the calls that send a file by its content, and read it."""
    path, at = f"/{folder}/{{sha256}}", {"sha256": hashlib.sha256(body).hexdigest()}
    yield _call(f"PUT {path}", SENDERS, reply, at=at, body=body, content_type=content_type)
    yield _call(f"HEAD {path}", SENDERS, None, at=at)
    yield _call(f"GET {path}", SENDERS, replies.PICTURE, at=at)


def _deliveries(served: Served, pending: int) -> Iterator[Call]:
    """Yield the calls that change a division's delivery."""
    at = {"delivery_id": pending}
    yield _call(
        "PUT /deliveries/{delivery_id}",
        served,
        replies.DELIVERY | ARRIVAL,
        at=at,
        body=ARRIVAL,
    )
    yield _call(
        "PUT /deliveries/{delivery_id}/order",
        served,
        replies.DELIVERY | EXPECTED,
        at=at,
        body=ORDER | EXPECTED,
    )
    yield _call(
        "PUT /deliveries/{delivery_id}/cancellation",
        served,
        replies.DELIVERY | {"cancelReason": "Out of stock"},
        at=at,
        body={"cancelled": True, "reason": "Out of stock"},
    )


AUTHENTICATION = (
    _call(
        "POST /auth/login",
        ANYBODY,
        replies.TOKENS | {"user": replies.USER},
        body={"username": "gfm", "password": PASSWORD},
        varies=True,
        is_public=True,
    ),
    _call(
        "POST /auth/refresh",
        ANYBODY,
        replies.TOKENS,
        body=lambda who: {"refreshToken": who.refresh},
        varies=True,
        is_public=True,
    ),
    _call(
        "POST /auth/change-password",
        ANYBODY,
        None,
        status=204,
        body={"oldPassword": PASSWORD, "newPassword": "another good password"},
    ),
)

ESTABLISHED = (
    *AUTHENTICATION,
    _call("GET /inventory/{site}", STOCK, Each(replies.ITEM), at=MAIN),
    _call("POST /inventory/{site}", STOCK, replies.COUNTS, at=MAIN, body=LIST, replaces=True),
    _call("PATCH /inventory/{site}", STOCK, replies.PATCHED, at=MAIN, body=OPS),
    _call("GET /history", {"/gfm": (GFM,), "": (GFM, GPM)}, Each(replies.ENTRY)),
    _call("GET /assets", REGISTER, Each(replies.ASSET)),
    _call(
        "POST /assets", REGISTER, replies.COUNTS, body=[{"id": "A1", "item": "Desk"}], replaces=True
    ),
    _call("GET /assets/history", REGISTER, Each(replies.MOVE)),
    _call(
        "POST /assets/history",
        REGISTER,
        replies.ADDED,
        status=201,
        body={"date": "2026-01-15", "id": "A1", "startPosition": "Shop", "endPosition": "Room 1"},
    ),
    _call("GET /teams", DESK, Each(replies.NAMED)),
    _call("POST /teams", DESK, replies.NAMED, status=201, body={"name": "Post room"}),
    _call(
        "PUT /teams/rename",
        DESK,
        replies.NAMED | {"name": "Canteen"},
        body={"oldName": "Kitchen", "newName": "Canteen"},
    ),
    _call("GET /suppliers", DESK, Each(replies.NAMED)),
    _call("POST /suppliers", DESK, replies.NAMED, status=201, body={"name": "Tea & Sons"}),
    _call("GET /services", DESK, Each(replies.SERVICE)),
    _call("POST /services", DESK, replies.SERVICE, status=201, body={"service": "Portering"}),
    _call(
        "PUT /services/rename",
        DESK,
        replies.SERVICE | {"name": "Windows"},
        body={"oldName": "Cleaning 0", "newName": "Windows"},
    ),
    _call("GET /keys", DESK, Each(replies.KEY)),
    _call("POST /keys", DESK, replies.COUNTS, body=[{"code": "K0", "holder": ""}], replaces=True),
    _call("GET /keys/history", DESK, Each(replies.HANDOVER)),
    _call(
        "POST /keys/history",
        DESK,
        replies.ADDED,
        status=201,
        body=[{"key": "K1", "holder": "Post room", "date": "2026-01-15"}],
    ),
    _call("GET /inventory", GPM_STOCK, Each(replies.ITEM)),
    _call("POST /inventory", GPM_STOCK, replies.COUNTS, body=LIST, replaces=True),
    _call("PATCH /inventory", GPM_STOCK, replies.PATCHED, body=OPS),
    _call("GET /deliveries", GFM_ALONE | DESK, Each(replies.DELIVERY)),
    _call("POST /deliveries", GFM_ALONE | DESK, replies.DELIVERY, status=201, body=ORDER),
    _call("GET /cancelled-deliveries", GFM_ALONE | DESK, Each(replies.DELIVERY)),
    *_deliveries(DESK, PENDING),
    _call("GET /vehicles", SHARED, Each(replies.VEHICLE)),
    _call("POST /vehicles", SHARED, replies.COUNTS, body=[{"reg": "LK19 VTE"}], replaces=True),
    _call("GET /checks", SHARED, Each(replies.CHECK)),
    _call("POST /checks", SHARED, replies.NEW_CHECK, status=201, body=CHECKED | {"costGBP": 12.5}),
    _call("GET /check-templates", SHARED, Each(replies.FORM)),
    _call(
        "POST /check-templates",
        SHARED,
        Each(replies.FORM),
        body=[{"key": "own", "label": "Own check", "fields": [{"name": "Plate"}]}],
        replaces=True,
    ),
    _call("GET /vans", SHARED, Each(replies.VEHICLE)),
    _call("POST /vans", SHARED, replies.COUNTS, body=[{"reg": "VB1"}], replaces=True),
    _call("GET /van-history", SHARED, Each(replies.WHERE | {"id": int, "reg": str})),
    _call(
        "POST /van-history",
        SHARED,
        replies.ADDED,
        status=201,
        body={"reg": "VB1", "at": "2026-01-15", "location": "Yard"},
    ),
    _call("GET /plates", SHARED, Each(str)),
    _call("GET /entries/{plate}", SHARED, Each(replies.CHECK), at={"plate": "lk19vte"}),
    _call("GET /history", {"/gpm": (GPM,)}, Each(replies.GPM_ENTRY)),
    _call(
        "GET /history",
        {"/fleet": (FLEET, GPM)},
        {"vehicles": Each({"reg": str, "history": Each(replies.WHERE)})},
    ),
)
"""The calls that clients already rely on; most are also served without a prefix."""

DASHBOARD_READS = (
    _call("GET /inventory/{site}", GFM_ALONE, Each(replies.ITEM), at={"site": "guildford"}),
    _call("GET /inventory/{site}", GFM_ALONE, [], at={"site": "northern"}),
)

ADDED_SINCE = (
    _call("POST /auth/logout", ANYBODY, None, status=204),
    _call("GET /ping", ANYBODY, {"ok": True, "time": str}, varies=True),
    _call("GET /search", ANYBODY, replies.FOUND, query="q=red+heart"),
    _call("POST /transfers", GFM_ALONE, replies.BULK, body=TRANSFER),
    _call("POST /inventory/{site}/bulk", STOCK, replies.BULK, at=MAIN, body=LINES),
    _call("POST /inventory/bulk", GPM_STOCK, replies.BULK, body=LINES),
    _call(
        "POST /inventory/{site}/count-sheet",
        STOCK,
        READ_SHEET,
        at=MAIN,
        body=SHEET,
        content_type="text/csv",
    ),
    _call(
        "POST /inventory/count-sheet", GPM_STOCK, READ_SHEET, body=SHEET, content_type="text/csv"
    ),
    *_deliveries(GFM_ALONE, GFM_PENDING),
    _call("GET /levels/{site}", STOCK, Each(LEVEL_SHAPE), at=MAIN),
    _call("PUT /levels/{site}", STOCK, replies.COUNTS, at=MAIN, body=[LEVEL], replaces=True),
    _call("GET /reorder", EITHER_STOCK, [REORDER]),
    _call(
        "POST /reorder",
        EITHER_STOCK,
        {"orders": [str], "transfers": []},
        status=201,
        body={"site": "main", "lines": [TO_ORDER]},
    ),
    _call("GET /reports/{question}", STOCK, REPORT, at={"question": "idle"}),
    _call(
        "POST /assets/{asset_id}/move",
        REGISTER,
        replies.ASSET,
        at={"asset_id": "A1"},
        body={"destination": "Yard"},
    ),
    _call(
        "GET /assets/groups",
        REGISTER,
        {
            "groups": Each({"name": str} | replies.SUMS),
            "total": 2,
            "most": NUMBER,
            "sums": replies.SUMS,
        },
    ),
    *_uploads("photos", PHOTO, "image/jpeg", replies.PHOTO_KEPT),
    *_uploads("documents", DOCUMENT, "application/pdf", replies.DOCUMENT_KEPT),
    _call("GET /checks/{check_id}/photos/{position}", SHARED, replies.PICTURE, at=OF_CHECK),
    _call(
        "GET /checks/{check_id}/photos/{position}/thumbnail", SHARED, replies.PICTURE, at=OF_CHECK
    ),
    _call("GET /attachments/{attachment_id}", SENDERS, replies.PICTURE, at=ATTACHED),
    _call("DELETE /attachments/{attachment_id}", SENDERS, None, status=204, at=ATTACHED),
    _call("GET /attachments/{attachment_id}/thumbnail", SENDERS, replies.PICTURE, at=ATTACHED),
    _call("GET /openapi.json", ANYBODY, dict, is_public=True),
    *(
        _call("GET /views", ANYBODY, Each(replies.VIEW)),
        _call(
            "POST /views",
            ANYBODY,
            replies.VIEW | {"query": "q=tea"},
            status=201,
            body={"list": "/inventory/main", "name": "Tea", "query": "q=tea&page=2"},
        ),
        _call("GET /views/{view_id}", ANYBODY, replies.VIEW, at=OF_VIEW),
        _call(
            "PATCH /views/{view_id}",
            ANYBODY,
            replies.VIEW | {"name": "Low"},
            at=OF_VIEW,
            body={"name": "Low"},
            replaces=True,
        ),
        _call("DELETE /views/{view_id}", ANYBODY, replies.VIEW, at=OF_VIEW, replaces=True),
    ),
)

CALLS: tuple[Call, ...] = (
    *(*ESTABLISHED, *DASHBOARD_READS, *ADDED_SINCE, *UPKEEP, *BOOKINGS, *IMPORTS),
)
