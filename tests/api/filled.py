"""A database with entries in every list, and a signed-in user of each division."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from flask_smorest.spec.plugins import FlaskPlugin
from sqlalchemy import inspect, select
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from app.db import db, transaction
from app.divisions import Division
from app.fleet.services import checks as check_services
from app.fleet.services.vehicles import PastEvent, record_van_history
from app.sent_files import SentFile
from app.stock.services.levels import accept_suggestions
from tests import factories
from tests.api.filled_bookings import fill_bookings
from tests.api.filled_upkeep import fill_upkeep
from tests.attachments.files import pdf, sha256
from tests.databases import Copies, settings_for, settle
from tests.factories import GPM, GUILDFORD, MAIN
from tests.person import PASSWORD, Person
from tests.photos import photo_files

PHOTO = photo_files.jpeg()
DOCUMENT = pdf()
PENDING, DELIVERED, GFM_PENDING = 1, 2, 6


@dataclass(frozen=True)
class SignedInUser:
    """A user of one division: tokens of an API client, and cookie and CSRF token of a browser."""

    access: str
    refresh: str
    cookie: str
    csrf: str


@dataclass(frozen=True)
class Filled:
    """A filled database; `open` yields an application on it or on a copy of it."""

    app: Flask
    copies: Copies
    url: str
    folder: Path
    people: dict[Division, SignedInUser]

    @contextmanager
    def open(self, *, copied: bool) -> Iterator[Flask]:
        url = self.copies.keep(self.url) if copied else self.url
        settle(self.app, settings_for(url, self.folder))
        yield self.app
        _disconnect(self.app)
        if copied:
            self.copies.remove(url)


def fill(app: Flask, copies: Copies, folder: Path) -> Filled:
    """Fill a new database and sign in a user of each division."""
    url = copies.fresh()
    settle(app, settings_for(url, folder))
    with app.app_context():
        users = {division: factories.user(division.value, division) for division in Division}
        _fill_stock()
        _fill_desk()
        _fill_fleet(users[Division.FLEET])
        for id_ in ("A1", "a/2 & more", "Ж 3"):
            factories.asset("Desk", id=id_, location="Room 1", make="Oak & Sons", quantity=2)
        fill_bookings(users[Division.FLEET])
        for name in ("Hearts", "Hearts at Main"):
            factories.view(users[Division.GFM], name)
    people = {division: _sign_in(app, division.value) for division in Division}
    filled = Filled(app, copies, url, folder, people)
    _fill_by_calls(filled)
    _disconnect(app)
    return filled


def _fill_stock() -> None:
    for store in (MAIN, GUILDFORD, GPM):
        factories.items([("Red heart", 10), ("Blue & green mug", 4), ("Ärmel", 7)], store=store)
        (item,) = factories.items([("Heart bunting", 9)], store=store, category="Seasonal")
        factories.move(item, -2, store=store, team="Kitchen")
        with transaction():
            accept_suggestions(store, {item: (0, 9, 12)}, by=None)


def _fill_desk() -> None:
    for n, name in enumerate(("Kitchen", "Garden & yard", "Night shift")):
        factories.team(name)
        factories.supplier(f"Supplier of {name}")
        factories.service(f"Cleaning {n}", description="Twice a year")
        factories.key(f"K{n}", name=f"Room {n}", holder=name, notes="Ask first")
    assert factories.delivery("Tea") == PENDING
    assert factories.delivered("Cup") == DELIVERED
    factories.delivery("Spoon")
    for name in ("Fork", "Knife"):
        factories.cancelled(name)
    assert factories.delivery("Tea", 5, Division.GFM) == GFM_PENDING
    factories.cancelled("Fork", 5, Division.GFM)


def _fill_fleet(user: int) -> None:
    for reg in ("LK19 VTE", "AB12 CDE", "B1"):
        factories.vehicle(reg, make="Ford", model="Transit", status="In use", classification="Van")
        factories.vehicle(f"V{reg}", vans=True)
        with transaction():
            record_van_history([PastEvent(f"V{reg}", location="Depot", status="In use")], by=user)
        check = factories.check(reg, by=user, photos=["front.jpg"], items={"Damage": "None"})
        with transaction():
            check_services.review_check(check, remark="Booked in", by=user)
    for _ in range(2):
        factories.check("LK19 VTE", by=user)
    fill_upkeep(user)
    factories.attach([SentFile.with_data("front.jpg", photo_files.jpeg((64, 48)))], by=user)


def _fill_by_calls(filled: Filled) -> None:
    """Add data that can only be made through the API: unused files, and moves."""
    photo = {"data": PHOTO, "content_type": "image/jpeg"}
    document = {"data": DOCUMENT, "content_type": "application/pdf"}
    for division in (Division.FLEET, Division.GPM):
        send = bearer(filled.app, filled.people[division])
        for address, file in (
            (photo_files.address(PHOTO), photo),
            (f"/api/documents/{sha256(DOCUMENT)}", document),
        ):
            reply = send("PUT", address, **file)
            assert reply.status_code in (200, 201), (reply.status_code, reply.text)
    desk = bearer(filled.app, filled.people[Division.GPM])
    services = b"name,description\nShredding,Weekly\n"
    path = "/api/gpm/services/import"
    assert desk("POST", path, data=services, content_type="text/csv").json["undo"]
    assets = bearer(filled.app, filled.people[Division.ASSETS])
    for place in ("Room 2", "Shop", "Room 3"):
        moved = assets("POST", "/api/assets/A1/move", json={"destination": place})
        assert moved.status_code == 200


def _sign_in(app: Flask, username: str) -> SignedInUser:
    reply = app.test_client().post(
        "/api/auth/login", json={"username": username, "password": PASSWORD}
    )
    person = Person(app)
    person.sign_in(username)
    choice = person.open("/choose")
    person.submit(choice, division=username)
    csrf = choice.fields("form[method=post]")["csrf_token"]
    cookie = person.client.get_cookie("session")
    assert cookie is not None
    return SignedInUser(reply.json["accessToken"], reply.json["refreshToken"], cookie.value, csrf)


def _disconnect(app: Flask) -> None:
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def everything(app: Flask) -> dict[str, list[Any]]:
    """Return all rows of all tables except the idempotency keys."""
    with app.app_context():
        tables = [t for t in db.metadata.sorted_tables if inspect(db.engine).has_table(t.name)]
        return {
            table.name: sorted(map(repr, db.session.execute(select(table)).all()))
            for table in tables
            if table.name != "idempotency_key"
        }


Send = Callable[..., TestResponse]


def bearer(app: Flask, who: SignedInUser) -> Send:
    """Return a function that sends calls with an access token."""
    return _sender(app.test_client(), {"Authorization": f"Bearer {who.access}"})


def browser(app: Flask, who: SignedInUser) -> Send:
    """Return a function that sends calls with a session cookie and our CSRF token."""
    client = app.test_client()
    client.set_cookie("session", who.cookie)
    return _sender(client, {"X-CSRFToken": who.csrf})


def anonymous(app: Flask) -> Send:
    """Return a function that sends calls without signing in."""
    return _sender(app.test_client(), {})


def _sender(client: FlaskClient, defaults: dict[str, str]) -> Send:
    def send(method: str, path: str, **options: Any) -> TestResponse:
        headers = defaults | options.pop("headers", {})
        reply = client.open(path, method=method, headers=headers, **options)
        _check_described(client.application, method, path.partition("?")[0], reply.status_code)
        return reply

    return send


def _check_described(app: Flask, method: str, path: str, status: int) -> None:
    """Assert that the API description has this status for this call."""
    try:
        rule, _ = app.url_map.bind("localhost").match(path, method, return_rule=True)
    except HTTPException:
        return
    item = _description(app)["paths"].get(FlaskPlugin.flaskpath2openapi(rule.rule), {})
    if method.lower() in item:
        assert str(status) in item[method.lower()]["responses"], (method, path, status)


@cache
def _description(app: Flask) -> Any:
    return app.test_client().get("/api/openapi.json").json
