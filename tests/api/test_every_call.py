"""Every call under every prefix: its reply, who may use it, and how others are refused."""

import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import dates
from tests.api import calls
from tests.api.calls import CALLS, Call
from tests.api.filled import Filled, Send, SignedInUser, anonymous, bearer, browser
from tests.api.shapes import problem

NOT_A_CALL = "/api/docs"
"""The page for people."""

ROUTES = [(call, prefix) for call in CALLS for prefix in call.served]
NAMES = [f"{call.method} {call.address(prefix)}" for call, prefix in ROUTES]
ADDRESSES = sorted({call.address(prefix) for call, prefix in ROUTES})
PATTERNS = {
    (call.method, re.compile(re.sub(r"{\w+}", "[^/]+", re.sub(r"{\w+_id}$", r"\\d+", path))))
    for call, prefix in ROUTES
    for path in [f"/api{prefix}{call.path}"]
}

STATUS_CODES = {401: "sign_in_required", 403: "forbidden", 405: "method_not_allowed"}

every_route = pytest.mark.parametrize(("call", "prefix"), ROUTES, ids=NAMES)


def send_call(call: Call, prefix: str, send: Send, who: SignedInUser) -> TestResponse:
    """Send a call with its example, and the ETag of a list that it replaces."""
    headers = call.if_match(prefix, send)
    return send(call.method, call.address(prefix), headers=headers, **call.options(who))


def content(reply: TestResponse) -> Any:
    """Return the body of a reply: JSON, a picture or None."""
    body = reply.get_data() or None
    return reply.json if body and reply.mimetype == "application/json" else body


def check_error(reply: TestResponse, status: int) -> None:
    assert reply.status_code == status
    assert reply.mimetype == "application/json"
    assert problem(reply.json, {"error": str, "code": STATUS_CODES[status]}) == ""


@every_route
def test_a_call_answers_bearer_and_cookie_alike(filled: Filled, call: Call, prefix: str) -> None:
    user = filled.people[call.served[prefix][0]]
    answers, now = [], dates.utc_now()
    for client in (bearer, browser):
        with filled.open(copied=not call.reads) as app, dates.as_of(now):
            reply = send_call(call, prefix, client(app, user), user)
        assert reply.status_code == call.status, reply.get_data(as_text=True)
        assert problem(content(reply), type(None) if call.reply is None else call.reply) == ""
        answers.append(content(reply))
    assert call.varies or answers[0] == answers[1]


@pytest.mark.parametrize("filled", ["sqlite"], indirect=True)
@every_route
def test_a_call_serves_every_division_that_has_it_and_refuses_all_others(
    filled: Filled, call: Call, prefix: str
) -> None:
    with filled.open(copied=False) as app:
        if not call.is_public:
            refused = anonymous(app)(call.method, call.address(prefix))
            assert refused.status_code == 401
            if call.method != "HEAD":
                check_error(refused, 401)
        for division, who in filled.people.items():
            send = bearer(app, who)
            if division not in call.served[prefix]:
                reply = send(call.method, call.address(prefix), **call.options(who))
                assert reply.status_code == 403
                if call.method != "HEAD":
                    check_error(reply, 403)
            elif call.reads and "/{sha256}" not in call.path and "/{view_id}" not in call.path:
                assert send_call(call, prefix, send, who).status_code == call.status


@pytest.mark.parametrize("path", ADDRESSES)
def test_another_method_is_refused_with_those_the_address_takes(
    shared_app: Flask, path: str
) -> None:
    served = {method for method, pattern in PATTERNS if pattern.fullmatch(path)}
    served |= {"OPTIONS"} | ({"HEAD"} if "GET" in served else set())
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - served:
        reply = anonymous(shared_app)(method, path)
        check_error(reply, 405)
        assert {name.strip() for name in reply.headers["Allow"].split(",")} == served


def test_the_table_has_exactly_the_calls_that_are_served(shared_app: Flask) -> None:
    served = {
        (method, re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule))
        for rule in shared_app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS"}
        if rule.rule.startswith("/api") and not rule.rule.startswith(NOT_A_CALL)
    }
    listed = {(call.method, f"/api{prefix}{call.path}") for call, prefix in ROUTES}
    listed |= {("HEAD", path) for method, path in listed if method == "GET"}
    assert listed == served


def test_every_established_call_is_served_without_a_prefix() -> None:
    """Clients fall back to these paths if they get no prefix."""
    for call in calls.ESTABLISHED:
        assert "" in call.served or call.path == "/history"
