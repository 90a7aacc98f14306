"""Security headers on every reply, and what may be cached by whom."""

import pytest

from tests.person import Person
from tests.strangers.replies import EXPECTED


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/login", "/dashboard", "/inventory/main", "/no/such/page", "/api/nothing"),
        *("/static/nothing.css", "/static/img/icon.svg", "/favicon.ico", "/livez", "/readyz"),
    ],
)
def test_every_reply_carries_the_security_headers_once(person, path):
    headers = person.client.get(path, buffered=True).headers
    for name, value in EXPECTED.items():
        assert headers.getlist(name) == [value], (path, name)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


@pytest.mark.own_app
@pytest.mark.usefixtures("keeper")
def test_an_internal_error_has_the_security_headers_and_the_pages_message(app, person, monkeypatch):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("app.stock.queries.levels.load_rows", lambda *_: 1 / 0)
    page = person.open("/inventory/main")
    assert page.status == 500
    assert page.alerts == ["Failed to load inventory. Try again in a moment."]
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "ZeroDivisionError" not in page.text


def test_built_files_are_cached_forever_and_served_compressed(app, person):
    page = person.open("/login")
    address = page.html.select_one("link[rel=stylesheet]")["href"]
    reply = person.client.get(address, headers={"Accept-Encoding": "br"}, buffered=True)
    assert reply.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert reply.headers["Content-Encoding"] == "br"
    assert reply.headers["Content-Type"] == "text/css"


def test_methods_that_an_address_does_not_take_are_named(person):
    reply = person.client.delete("/login")
    assert reply.status_code == 405
    assert set(reply.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


def test_an_unknown_host_is_refused(person):
    assert person.client.get("/login", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.usefixtures("keeper")
def test_forms_are_never_stored(app, person):
    forms = ((Person(app), "/login"), (person, "/choose"), (person, "/change-password"))
    for reader, path in forms:
        page = reader.open(path)
        assert (page.path, page.headers["Cache-Control"]) == (path, "no-store")


def test_a_static_address_refuses_a_post_with_our_headers_and_is_for_our_pages_alone(person):
    reply = person.client.post("/static/img/icon.svg", buffered=True)
    assert reply.status_code == 405
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    picture = person.client.get("/static/img/icon.svg", buffered=True)
    assert "Access-Control-Allow-Origin" not in picture.headers


@pytest.mark.parametrize("megabytes", [2, 25])
def test_a_form_that_is_too_large_is_refused(person, megabytes):
    reply = person.client.post("/login", data={"username": "x" * (megabytes << 20)})
    assert reply.status_code == 413
    assert b"That is too large. Send less at once." in reply.data
