"""How calls are sent: again, with unknown parameters, to wrong addresses, too much at once."""

from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import delete

from app.api.blueprint import MAX_LIST
from app.db import db, transaction
from app.divisions import Division
from app.idempotency import IdempotencyKey
from tests.api.calls import CALLS, Call
from tests.api.filled import Filled, bearer, everything
from tests.api.shapes import problem

ROUTES = [(call, prefix) for call in CALLS for prefix in call.served]
CHANGES = [
    (call, next(iter(call.served)))
    for call in CALLS
    if isinstance(call.body, dict | list) and not call.path.startswith("/auth/")
]
one_database = pytest.mark.parametrize("filled", ["sqlite"], indirect=True)

REUSED = "Something else was sent under this Idempotency-Key. Check before sending under a new one."


def named(routes: list[tuple[Call, str]]) -> pytest.MarkDecorator:
    ids = [f"{call.method} {call.address(prefix)}" for call, prefix in routes]
    return pytest.mark.parametrize(("call", "prefix"), routes, ids=ids)


RECORDS = ("stock_operation", "vehicle_check", "asset_move")
"""The tables that keep the keys of what made their rows."""

MAKING = (
    *("/inventory", "/transfers", "/deliveries/", "/checks"),
    *("/assets/history", "/assets/{asset_id}"),
)


def makes_records(call: Call) -> bool:
    """Return whether a call's example makes a row of RECORDS."""
    return call.path.startswith(MAKING) and not call.path.endswith(("/order", "/cancellation"))


TEXTS = (
    *("detail", "note", "title", "label", "garage", "text", "reason", "newName", "name"),
    *("service", "supplier", "confirmation", "notes", "location", "purpose"),
)
DAYS = ("date", "day", "dueOn", "doneOn")
"""Texts and days that a body may have any of."""


def another(body: Any) -> Any:
    """Return a body with other values."""
    if isinstance(body, list):
        return []
    text = next((name for name in TEXTS if name in body), None)
    if text:
        return body | {text: f"{body[text]} 2"}
    day = next((name for name in DAYS if name in body), None)
    if day:
        return body | {day: "2026-01-14"}
    if "attachments" in body:
        return body | {"attachments": [another(each) for each in body["attachments"]]}
    if "voidOthers" in body:
        return body | {"voidOthers": not body["voidOthers"]}
    if "site" in body:
        return body | {"site": "guildford"}
    return body | {"destination": "Elsewhere"}


@named(CHANGES)
def test_a_change_sent_again_under_its_key_is_made_once_and_answered_alike(
    filled: Filled, call: Call, prefix: str
) -> None:
    with filled.open(copied=True) as app:
        send = bearer(app, filled.people[call.served[prefix][0]])
        path = call.address(prefix)
        headers = {"Idempotency-Key": "k1", **call.if_match(prefix, send)}
        untouched = everything(app)
        first = send(call.method, path, json=call.body, headers=headers)
        assert first.status_code == call.status
        changed = everything(app)
        assert changed != untouched
        again = send(call.method, path, json=call.body, headers=headers)
        assert (again.status_code, again.json) == (first.status_code, first.json)
        assert again.headers.get("ETag") == first.headers.get("ETag")
        other = send(call.method, path, json=another(call.body), headers=headers)
        assert (other.status_code, other.json) == (422, {"error": REUSED, "code": "key_reused"})
        assert everything(app) == changed


@one_database
@named([(call, prefix) for call, prefix in CHANGES if makes_records(call)])
def test_a_change_sent_again_after_its_key_was_deleted_makes_nothing_new(
    filled: Filled, call: Call, prefix: str
) -> None:
    """Its record has the key for good: the reply is made from it, or says that it was saved."""
    with filled.open(copied=True) as app:
        send = bearer(app, filled.people[call.served[prefix][0]])
        path = call.address(prefix)
        headers = {"Idempotency-Key": "k1", **call.if_match(prefix, send)}
        earlier = {table: everything(app)[table] for table in RECORDS}
        first = send(call.method, path, json=call.body, headers=headers)
        with app.app_context(), transaction():
            db.session.execute(delete(IdempotencyKey))
        made = {table: everything(app)[table] for table in RECORDS}
        assert made != earlier
        again = send(call.method, path, json=call.body, headers=headers)
        if again.status_code == 409:
            assert again.json["code"] == "already_made"
        else:
            assert (again.status_code, again.json) == (first.status_code, first.json)
        assert {table: everything(app)[table] for table in RECORDS} == made


@one_database
@pytest.mark.parametrize("key", ["", "k" * 101, "two words"])
def test_an_invalid_idempotency_key_is_refused(filled: Filled, key: str) -> None:
    with filled.open(copied=False) as app:
        send = bearer(app, filled.people[Division.GPM])
        reply = send(
            "POST", "/api/gpm/teams", json={"name": "Night"}, headers={"Idempotency-Key": key}
        )
    refusal = "Idempotency-Key must be 1 to 100 letters, digits and signs."
    assert (reply.status_code, reply.json) == (422, {"error": refusal, "code": "invalid"})


@one_database
@named([route for route in ROUTES if route[0].path != "/openapi.json"])
def test_a_query_that_nobody_reads_is_refused(filled: Filled, call: Call, prefix: str) -> None:
    with filled.open(copied=False) as app:
        who = filled.people[call.served[prefix][0]]
        options = call.options(who) | {"query_string": f"{call.query}&colour=red"}
        reply = bearer(app, who)(call.method, call.address(prefix), **options)
        assert reply.status_code == 422
        if call.method != "HEAD":
            refusal = {"error": "colour: Unknown field.", "code": "invalid"}
            assert reply.json == refusal | {"fields": {"colour": "Unknown field."}}


@one_database
@pytest.mark.parametrize(
    "path",
    [
        *("/api", "/api/", "/api/nothing", "/api/gfm/inventory", "/api/gfm/inventory/"),
        *("/api/gfm/inventory/main/", "/api/ping/", "/api/assets/", "/api/gfm/checks"),
        *("/api/fleet/inventory/main", "/api/fleet/teams", "/api/assets/history/1"),
    ],
)
def test_an_unknown_address_is_a_json_error(filled: Filled, path: str) -> None:
    with filled.open(copied=False) as app:
        for method in ("GET", "POST"):
            reply = bearer(app, filled.people[Division.GFM])(method, path)
            assert reply.status_code == 404
            assert problem(reply.json, {"error": str, "code": "no_such_route"}) == ""


@one_database
def test_more_than_24_mb_at_once_is_refused(filled: Filled) -> None:
    with filled.open(copied=False) as app:
        send = bearer(app, filled.people[Division.GPM])
        reply = send(
            "POST",
            "/api/gpm/checks",
            input_stream=BytesIO(b"{}"),
            environ_overrides={"CONTENT_LENGTH": str(24 * 1024**2 + 1)},
            content_type="application/json",
        )
    assert (reply.status_code, reply.json) == (
        413,
        {"error": "That is too large. Send less at once.", "code": "too_large"},
    )


@one_database
def test_a_division_that_is_not_ones_own_is_named_in_the_refusal(filled: Filled) -> None:
    with filled.open(copied=False) as app:
        send = bearer(app, filled.people[Division.GFM])
        reply = send("GET", "/api/fleet/vehicles")
    message = "This call belongs to Fleet or GPM. Ask an administrator for access to it."
    assert (reply.status_code, reply.json) == (403, {"error": message, "code": "forbidden"})


@one_database
def test_a_new_password_that_is_refused_is_named_as_the_body_names_it(filled: Filled) -> None:
    with filled.open(copied=False) as app:
        send = bearer(app, filled.people[Division.GFM])
        for body, field in (
            ({"oldPassword": "correct horse battery", "newPassword": "short"}, "newPassword"),
            ({"oldPassword": "correct horse battery", "newPassword": ""}, "newPassword"),
            ({"oldPassword": "", "newPassword": "another good password"}, "oldPassword"),
        ):
            reply = send("POST", "/api/auth/change-password", json=body)
            assert (reply.status_code, list(reply.json["fields"])) == (422, [field])
            assert reply.json["error"] in reply.json["fields"][field]


@one_database
def test_a_list_that_would_hold_others_up_for_long_is_refused(filled: Filled) -> None:
    lists = [(call, prefix) for call, prefix in CHANGES if isinstance(call.body, list)]
    assert len(lists) >= 5
    with filled.open(copied=False) as app:
        for call, prefix in lists:
            send = bearer(app, filled.people[call.served[prefix][0]])
            body = call.body[:1] * (MAX_LIST + 1)
            reply = send(call.method, call.address(prefix), json=body)
            assert (call.path, reply.status_code) == (call.path, 413)
            assert "A list may have up to 50,000 entries." in reply.json["error"]
