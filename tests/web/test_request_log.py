"""The log line of each request, the id that it shares with its reply, and what it leaves out."""

import json
import logging
import re
from collections.abc import Iterator
from contextvars import Context
from functools import partial
from io import StringIO

import pytest

from app import logs
from app.divisions import Division
from tests.person import PASSWORD, Caller

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
NEW_ID = re.compile(r"[0-9a-f]{32}")


class LogOutput:
    """What is logged while it is attached, as JSON lines."""

    def __init__(self, kind: str = "json") -> None:
        self.handler = logs.line_handler(kind)
        self.handler.setStream(StringIO())

    @property
    def text(self) -> str:
        return self.handler.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def requests(self) -> list[dict[str, object]]:
        return [line for line in self.lines if line["logger"] == "app.requests"]


@pytest.fixture
def output(request) -> Iterator[LogOutput]:
    output = LogOutput(getattr(request, "param", "json"))
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(output.handler)
    yield output
    root.removeHandler(output.handler)
    root.setLevel(level)


as_text = pytest.mark.parametrize("output", ["text"], indirect=True)


def test_a_request_is_one_line_with_its_route_user_and_division(person, keeper, output):
    reply = person.client.get("/inventory/main", buffered=True)
    [line] = output.requests
    assert line["requestId"] == reply.headers["X-Request-ID"]
    assert NEW_ID.fullmatch(line["requestId"])
    assert (line["method"], line["status"], line["userId"]) == ("GET", 200, keeper)
    assert "<" in line["route"], "the rule of the route, not the address"
    assert line["division"] == "gfm"
    assert line["bytes"] == len(reply.data)
    assert line["milliseconds"] > 0


@as_text
def test_a_line_as_text_has_the_same(person, keeper, output):
    reply = person.client.get("/api/ping", buffered=True)
    [line] = output.text.splitlines()
    number = reply.headers["X-Request-ID"]
    pattern = rf"\S+ \S+ INFO \[{number}\] app.requests: GET /api/ping 200 [0-9.]+ ms "
    assert re.fullmatch(pattern + rf"user={keeper} division=gfm {len(reply.data)} bytes", line)


def test_files_refusals_and_addresses_that_lead_nowhere_have_their_lines(person, output):
    for path in ("/static/img/icon.svg", "/api/nothing", "/no/such/page", "/api/ping"):
        person.client.get(path, buffered=True)
    assert [(line["route"], line["status"], line["userId"]) for line in output.requests] == [
        ("/static/<path:file>", 200, None),
        (logs.NO_ROUTE, 404, None),
        (logs.NO_ROUTE, 302, None),
        ("/api/ping", 401, None),
    ]


def test_a_method_that_the_client_made_up_is_not_logged(person, output):
    person.client.open("/login", method="SECRET", buffered=True)
    assert [line["method"] for line in output.requests] == ["OTHER"]
    assert "SECRET" not in output.text


@pytest.mark.parametrize(
    "header", [f"00-{TRACE}-00f067aa0ba902b7-01", f"cc-{TRACE}-00f067aa0ba902b7-00-later"]
)
def test_a_trace_is_taken_over(person, output, header):
    reply = person.client.get("/livez", headers={"traceparent": header}, buffered=True)
    assert reply.headers["X-Request-ID"] == TRACE
    assert output.requests[0]["requestId"] == TRACE


@pytest.mark.parametrize(
    "header",
    [
        "",
        TRACE,
        f"00-{TRACE.upper()}-00f067aa0ba902b7-01",
        f"00-{TRACE}-00f067aa0ba902b7-01-more",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"ff-{TRACE}-00f067aa0ba902b7-01",
        f"00-{TRACE}-00f067aa0ba902b7-01\x0bnew line",
    ],
)
def test_a_trace_that_is_not_valid_is_replaced_by_a_new_id(header):
    number = logs.request_id(header)
    assert NEW_ID.fullmatch(number)
    assert number not in header.lower() or not header


def test_an_error_names_its_request_in_json_and_on_the_page(person, keeper):
    reply = person.client.get("/api/nothing")
    assert reply.get_json()["requestId"] == reply.headers["X-Request-ID"]
    page = person.client.delete("/login")
    assert f"Reference {page.headers['X-Request-ID']}" in page.get_data(as_text=True)


@pytest.mark.own_app
def test_what_fails_is_logged_under_the_id_that_its_page_and_fragment_show(
    app, person, keeper, output, monkeypatch
):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("app.stock.queries.levels.load_rows", lambda *_: 1 / 0)
    page = person.open("/inventory/main")
    number = page.headers["X-Request-ID"]
    assert f"Reference {number}" in page.text
    [failure] = [line for line in output.lines if "exception" in line]
    assert failure["requestId"] == number
    assert "ZeroDivisionError" in failure["exception"]
    fragment = person.open("/inventory/main", headers={"HX-Request": "true", "HX-Target": "list"})
    assert fragment.all("p.muted") == [f"Reference {fragment.headers['X-Request-ID']}"]


def test_lines_outside_of_requests_have_no_id(output):
    Context().run(logging.getLogger("app").warning, "The disk is nearly full")
    [line] = output.lines
    assert (line["requestId"], line["message"]) == ("-", "The disk is nearly full")


def test_nothing_secret_or_personal_is_logged(app, person, keeper, output):
    """Sign in and fail to, search, change something, use tokens, and send broken requests."""
    wrong = "a wrong password"
    person.client.open = partial(person.client.open, buffered=True)
    caller = Caller(person)
    person.post("/login", {"username": "keeper", "password": wrong, "csrf_token": caller.token})
    person.open("/inventory/main?q=hand+warmer+secret")
    person.post("/inventory/main/add", {"csrf_token": caller.token, "name": "Jane Marsh"})
    names = {"username": "keeper", "password": PASSWORD}
    tokens = person.client.post("/api/auth/login", json=names).json
    bearer = {"Authorization": f"Bearer {tokens['accessToken']}"}
    requests = [("/api/ping?search=hidden+term", "GET", ""), ("/api/auth/login", "POST", PASSWORD)]
    for path, method, body in requests:
        person.client.open(path, method=method, data=body, headers=bearer)
    cookies = [cookie.value for cookie in person.client._cookies.values()]
    hidden = [wrong, PASSWORD, caller.token, *cookies, *tokens.values()]
    hidden += ["warmer", "hidden", "Jane", "keeper", "127.0.0.1"]
    assert len(output.requests) >= 7
    assert [text for text in hidden if str(text) in output.text] == []


@pytest.fixture
def entries(monkeypatch) -> list[logs.RequestEntry]:
    """The entries of the requests of a test, as /metrics counts them."""
    entries: list[logs.RequestEntry] = []
    monkeypatch.setattr(logs, "observers", [entries.append])
    return entries


def test_a_change_is_counted_once_and_its_repetition_as_a_replay(signed_in, entries):
    call = Caller(signed_in("desk", Division.GPM))
    entries.clear()
    for _ in range(2):
        call("POST", "/api/gpm/teams", {"name": "Kitchen"}, Idempotency_Key="once").get_data()
    refused = call("POST", "/api/gpm/teams", {"name": "Kitchen"})
    refused.get_data()
    call("GET", "/api/gpm/teams").get_data()
    assert [(entry.status, entry.changes, entry.is_replay) for entry in entries] == [
        (201, 1, False),
        (201, 0, True),
        (refused.status_code, 0, False),
        (200, 0, False),
    ]
    assert refused.status_code >= 400


@as_text
def test_the_secret_address_of_a_calendar_is_in_no_line(signed_in, output):
    person = signed_in("k.lee", Division.FLEET)
    page = person.submit(person.open("/fleet/due/calendar"))
    path = "/calendars/" + page.html.select_one(".feed")["value"].partition("/calendars/")[2]
    for address in (path, path.replace(".ics", "x.ics")):
        person.client.get(address, buffered=True)
    assert "GET /calendars/<token>.ics 200" in output.text
    assert "GET /calendars/<token>.ics 404" in output.text
    assert path[11:24] not in output.text
