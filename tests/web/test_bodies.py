"""What pages take as a body, and what is refused before it is read."""

import io

import pytest

from app.divisions import Division

JSON = "application/json"
DEEP = b"[" * 10_000 + b"]" * 10_000


class Unread(io.BytesIO):
    """A body that must not be read."""

    def read(self, *_):
        raise AssertionError("the body was read")

    readline = readinto = read


TAKES_JSON = ["/outbox/discarded"]


def pages_that_change(app):
    rules = app.url_map.iter_rules()
    return [rule for rule in rules if "POST" in rule.methods and not rule.rule.startswith("/api")]


def address(rule):
    values = {"site": "main", "division": "gpm", "action": "withdrawal", "kind": "vehicle"}
    return rule.build({name: values.get(name, 1) for name in rule.arguments})[1]


@pytest.mark.parametrize("body", [b"{}", DEEP, b'{"a": "\\u0000"}', b"\xff"])
def test_a_page_takes_forms_alone(app, signed_in, body):
    person = signed_in("all", *Division)
    person.submit(person.open("/choose"), division="gpm")
    for rule in pages_that_change(app):
        reply = person.client.post(address(rule), data=body, content_type=JSON)
        status = 400 if rule.rule in TAKES_JSON else 415
        assert (rule.rule, reply.status_code) == (rule.rule, status)
    reply = person.client.post("/login", data=body, content_type=JSON)
    assert "This page takes forms only. Programs use the calls under /api." in reply.text


@pytest.mark.parametrize("type_", [JSON, "application/x-www-form-urlencoded", "image/jpeg"])
def test_nothing_is_read_of_a_stranger_or_at_a_missing_address(app, person, type_):
    rules = [rule for rule in app.url_map.iter_rules() if rule.methods & {"POST", "PUT", "PATCH"}]
    public = {"/login", "/logout", "/api/auth/login", "/api/auth/refresh"}
    for rule in rules:
        if rule.rule in public:
            continue
        (method,) = sorted(rule.methods & {"POST", "PUT", "PATCH"})[:1]
        reply = person.client.open(
            address(rule),
            method=method,
            input_stream=Unread(),
            content_length=1000,
            content_type=type_,
        )
        assert reply.status_code in (302, 401), (rule.rule, reply.status_code)
    for path, method, status in [("/nothing", "POST", 302), ("/api/nothing", "POST", 404)]:
        reply = person.client.open(
            path, method=method, input_stream=Unread(), content_length=9, content_type=type_
        )
        assert (path, reply.status_code) == (path, status)


def test_a_stranger_sends_no_more_than_a_sign_in(person):
    form = {"username": "keeper", "password": "x" * 17_000}
    assert person.client.post("/login", data=form).status_code == 413
