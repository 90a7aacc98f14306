"""Headers and cookies of every class of error, for a page, a fragment and a call, in production."""

from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from app import create_app
from app.db import db
from app.divisions import Division
from app.errors import Throttled, Unavailable
from tests import factories
from tests.databases import settings_for
from tests.person import PASSWORD, Person
from tests.strangers.replies import faults_of

HTTPS = "https://localhost"
WAYS = ({}, {"HX-Request": "true"}, {"Accept": "application/json"})
ERRORS = {
    429: Throttled("Too many.", 5),
    500: ZeroDivisionError(),
    503: Unavailable("The database is away."),
    507: OperationalError("INSERT", {}, SimpleNamespace(sqlstate="53100")),
}


@pytest.fixture
def production(database_url, tmp_path):
    hosts = ("localhost",)
    app = create_app(settings_for(database_url, tmp_path, production=True, trusted_hosts=hosts))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    with app.app_context():
        factories.user("gfm", Division.GFM)
    yield app
    with app.app_context():
        db.engine.dispose()


def signed_in(app):
    person = Person(app)
    page = person.open("/login", base_url=HTTPS)
    typed = page.fields() | {"username": "gfm", "password": PASSWORD}
    reply = person.client.post(
        "/login",
        data=typed,
        base_url=HTTPS,
        headers={"Referer": f"{HTTPS}/login"},
    )
    assert reply.status_code == 302, reply.text
    return person.client, reply


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_class_of_error_has_the_headers_of_a_page(production):
    client, _ = signed_in(production)

    def failing(error):
        def fail(**_):
            raise error

        return fail

    seen, wrong = set(), []

    def send(method, path, **options):
        for way in WAYS:
            headers = way | options.get("headers", {})
            rest = {name: value for name, value in options.items() if name != "headers"}
            reply = client.open(path, method=method, headers=headers, base_url=HTTPS, **rest)
            seen.add(reply.status_code)
            wrong.extend((path, reply.status_code, fault) for fault in faults_of(reply))

    send("GET", "/inventory/main")
    send("GET", "/inventory/nowhere")
    send("GET", "/static/nothing.css")
    send("GET", "/api/nothing")
    send("GET", "/assets")
    send("DELETE", "/login")
    send("POST", "/choose")
    send("POST", "/login", data={"username": "x" * 20_000})
    send("POST", "/login", data=b"{}", content_type="application/json")
    send("PATCH", "/api/gfm/inventory/main", json={})
    send("GET", "/api/gfm/inventory/main?limit=x")
    for status, error in ERRORS.items():
        view = failing(error)
        view.policy = production.view_functions["stock.inventory"].policy
        production.view_functions["stock.inventory"] = view
        before = set(seen)
        send("GET", "/inventory/main")
        assert status in seen - before, (status, seen - before)
    assert wrong == []
    assert {200, 302, 400, 403, 404, 405, 413, 415, 422, *ERRORS} <= seen


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_cookie_of_production_is_for_https_alone_and_for_no_script(production):
    client, signing_in = signed_in(production)
    replies = [signing_in]
    replies += [
        client.get(path, base_url=HTTPS, headers={"Referer": f"{HTTPS}/"})
        for path in ("/dashboard", "/inventory/main?q=heart", "/inventory/main?q=", "/history?q=x")
    ]
    cookies = [c for reply in replies for c in reply.headers.getlist("Set-Cookie")]
    names = {cookie.partition("=")[0] for cookie in cookies}
    assert {"__Host-session", "username", "browser"} <= names
    for cookie in cookies:
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; ")), cookie
