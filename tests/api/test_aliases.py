"""Aliases of fields: read everywhere, never written."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from app import dates
from tests.api.calls import CALLS, CHECKED, LINES, OPS, ORDER, TRANSFER, Call
from tests.api.filled import Filled, bearer
from tests.api.shapes import Each

ITEM = {"item": "Cup of tea", "amount": 3, "unitPrice": 2.5}
NEW = {"type": "add", "item": {"name": "Cup of tea", "qty": 3, "unitPrice": 2.5}}
SET = {"type": "set", "id": "Red heart", "expected": 10, "data": {"amount": 3, "item": "Heart"}}
VAN = {
    "reg": "VB1",
    "make": "Ford",
    "currentLocation": "Yard",
    "lastEventAt": "2026-01-15T09:30:00Z",
}
WHERE = {"reg": "VB1", "at": "2026-01-15T09:30:00Z", "location": "Yard"}
HANDOVER = {"key": "K1", "holder": "Kitchen", "date": "2026-01-15"}
MOVE = {"id": "A1", "date": "2026-01-15", "startPosition": "Shop", "endPosition": "Yard"}


def line(body: dict[str, Any], **values: Any) -> dict[str, Any]:
    return body | {"lines": [values]}


def without(body: dict[str, Any], *names: str, **values: Any) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in names} | values


def renamed(body: dict[str, Any], **names: str) -> Iterator[dict[str, Any]]:
    """Yield a body for each other name of its fields."""
    for name, others in names.items():
        for other in others.split():
            yield without(body, name, **{other: body[name]})


def patch(op: dict[str, Any]) -> dict[str, Any]:
    return OPS | {"ops": [op]}


CASES: dict[str, tuple[str, Any, list[Any]]] = {
    "items": (
        "POST /inventory/{site}",
        [ITEM],
        [
            *([item] for item in renamed(ITEM, item="name id", amount="qty")),
            [ITEM | {"name": "Cup of tea", "id": "Cup of tea", "qty": 3}],
        ],
    ),
    "add": (
        "PATCH /inventory/{site}",
        patch(NEW),
        [patch(NEW | {"item": item}) for item in (ITEM, *renamed(ITEM, item="id"))],
    ),
    "set": (
        "PATCH /inventory/{site}",
        patch(SET),
        [patch(SET | {"data": {"qty": 3, name: "Heart"}}) for name in ("name", "id")],
    ),
    "inc": (
        "PATCH /inventory/{site}",
        OPS,
        [
            *map(patch, renamed(OPS["ops"][0], id="name")),
            without(OPS, "ts", date="2026-01-15"),
            OPS | {"team": {"id": 1, "name": "Kitchen"}},
            OPS | {"team": {"id": "Kitchen"}},
        ],
    ),
    "bulk": (
        "POST /inventory/{site}/bulk",
        LINES,
        [
            line(LINES, item="Red heart", qty=2),
            line(LINES, id="Red heart", amount=2),
            *renamed(LINES, date="ts"),
        ],
    ),
    "transfers": (
        "POST /transfers",
        TRANSFER,
        [line(TRANSFER, item="Red heart", amount=2), *renamed(TRANSFER, date="ts")],
    ),
    "deliveries": (
        "POST /deliveries",
        ORDER,
        [without(ORDER, "item", "amount", name="Glass cloche", qty=6)],
    ),
    "services": ("POST /services", {"service": "Ironing"}, [{"name": "Ironing"}]),
    "key history": (
        "POST /keys/history",
        HANDOVER,
        [*renamed(HANDOVER, key="code name", date="ts")],
    ),
    "vans": (
        "POST /vans",
        [VAN],
        [
            [van]
            for van in renamed(
                VAN, reg="numberPlate", currentLocation="location", lastEventAt="lastUpdate"
            )
        ],
    ),
    "van history": (
        "POST /van-history",
        WHERE,
        [*renamed(WHERE, reg="numberPlate", at="date ts", location="currentLocation")],
    ),
    "checks": (
        "POST /checks",
        CHECKED,
        [*renamed(CHECKED, reg="numberPlate"), without(CHECKED, "date", ts="2026-01-15T12:00:00Z")],
    ),
    "move": (
        "POST /assets/{asset_id}/move",
        {"destination": "Yard"},
        [{"location": "Yard"}, {"endPosition": "Yard"}],
    ),
    "asset history": (
        "POST /assets/history",
        MOVE,
        [*renamed(MOVE, date="ts", endPosition="location")],
    ),
}

DIFFERENT = [
    ("POST /inventory/{site}", [ITEM | {"name": "Mug"}], "item"),
    ("POST /inventory/{site}", [ITEM | {"qty": 4}], "amount"),
    ("PATCH /inventory/{site}", patch(OPS["ops"][0] | {"name": "Mug"}), "id"),
    ("PATCH /inventory/{site}", OPS | {"date": "2026-01-14"}, "ts"),
    ("POST /inventory/{site}/bulk", line(LINES, name="A", id="B", qty=1), "name"),
    ("POST /transfers", TRANSFER | {"ts": "2026-01-14"}, "date"),
    ("POST /deliveries", ORDER | {"qty": 7}, "amount"),
    ("POST /keys/history", HANDOVER | {"code": "K2"}, "key"),
    ("POST /vans", [VAN | {"numberPlate": "VB2"}], "reg"),
    ("POST /van-history", WHERE | {"ts": "2026-01-14"}, "at"),
    ("POST /checks", CHECKED | {"numberPlate": "B1"}, "reg"),
    ("POST /assets/history", MOVE | {"location": "Shop"}, "endPosition"),
]

NEVER_WRITTEN = {
    *("qty", "numberPlate", "ts", "action", "delta", "lastUpdate", "summary", "formType")
}


def call_of(called: str) -> Call:
    return next(call for call in CALLS if f"{call.method} {call.path}" == called)


@pytest.mark.parametrize("case", CASES)
def test_each_name_means_the_same(filled: Filled, case: str) -> None:
    called, canonical, others = CASES[case]
    call = call_of(called)
    prefix, (owner, *_) = next(iter(call.served.items()))
    answers, now = [], dates.utc_now()
    for body in (canonical, *others):
        with filled.open(copied=True) as app, dates.as_of(now):
            send = bearer(app, filled.people[owner])
            address = call.address(prefix)
            headers = call.if_match(prefix, send)
            reply = send(call.method, address, json=body, headers=headers)
            assert reply.status_code == call.status, reply.json
            read = send("GET", address) if call.replaces else reply
            answers.append((reply.json, read.json))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("filled", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("called", "body", "field"), DIFFERENT)
def test_two_names_that_differ_are_refused(
    filled: Filled, called: str, body: Any, field: str
) -> None:
    call = call_of(called)
    prefix, (owner, *_) = next(iter(call.served.items()))
    with filled.open(copied=False) as app:
        send = bearer(app, filled.people[owner])
        address = call.address(prefix)
        headers = call.if_match(prefix, send)
        reply = send(call.method, address, json=body, headers=headers)
    assert reply.status_code == 422
    assert re.fullmatch(r"\S+ and \S+ differ", reply.json["error"])
    index = "0." if isinstance(body, list) else ""
    assert [name.rpartition(".")[2] for name in reply.json["fields"]] == [field]
    assert next(iter(reply.json["fields"])).startswith(index)


@pytest.mark.parametrize(
    "call", [call for call in CALLS if isinstance(call.reply, Each)], ids=lambda call: call.path
)
def test_replies_write_one_name_for_each_thing(call: Call) -> None:
    """Which names they have exactly is asserted of every reply by the table of calls."""
    fields = call.reply.shape if isinstance(call.reply.shape, dict) else {}
    assert not NEVER_WRITTEN & set(fields)
    assert not {"currentLocation", "location"} <= set(fields)
