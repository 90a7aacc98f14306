"""A company in which each division has something of its own, and people of every kind."""

import time
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from sqlalchemy import select, update

from app import dates
from app.accounts.models import LoginSession, User
from app.accounts.services import users
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services.bookings import book
from app.db import db, transaction
from app.defects.queries.off_road import current_times
from app.defects.services.defects import DefectReport, open_defect
from app.divisions import Division, Role
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import plate_key
from app.sent_files import SentFile
from app.stock.rules.operations import Decrease
from tests import factories
from tests.attachments.files import pdf
from tests.databases import filled_once
from tests.factories import DAY, GPM, GUILDFORD, MAIN
from tests.person import PASSWORD, Person

SECRETS = {
    Division.GFM: "Zircon",
    Division.GPM: "Quartz",
    Division.FLEET: "ZQ19 ZQX",
    Division.ASSETS: "Obsidian",
}
"""A word that is in every text of what a division owns alone; Fleet's is for GPM, too."""


LEFT = ("disabled", "ended", "expired")
"""Those whose session was ended, or has run out, since they signed in."""

UNCHOSEN = ("undecided", "none", "moved")
"""Those who haven't chosen a division that they have."""

MIXED = {
    "viewer": ((), tuple(Division)),
    "viewer of gfm": ((), (Division.GFM,)),
    "viewer of fleet": ((), (Division.FLEET,)),
    "manager alone": ((), tuple(Division)),
    "worker alone": (tuple(Division), ()),
    "worker of gfm": ((Division.GFM,), (Division.GPM, Division.ASSETS)),
    "worker of gpm": ((Division.GPM,), (Division.GFM, Division.FLEET)),
}
"""Where some are workers, and where they are only viewers, or managers."""


@dataclass(frozen=True)
class Somebody:
    """Who sends a request: the cookie, CSRF token and access token, and what is granted.

    `working_in` and `managing_in` are the divisions in which they are workers, and managers;
    `is_read_only` is their access token.
    """

    name: str
    divisions: frozenset[Division] = frozenset()
    working_in: frozenset[Division] = frozenset()
    managing_in: frozenset[Division] = frozenset()
    is_signed_in: bool = False
    cookie: str = ""
    csrf: str = ""
    access: str = ""

    @property
    def is_read_only(self) -> bool:
        return self.name == "reader"

    @property
    def is_late(self) -> bool:
        return self.name == "late"

    @property
    def has_chosen(self) -> bool:
        return self.name not in UNCHOSEN

    def headers(self, *, bearer: bool) -> dict[str, str]:
        """Return what each request of theirs carries, by token or by cookie."""
        if bearer:
            return {"Authorization": f"Bearer {self.access}"}
        return {"Cookie": f"session={self.cookie}", "X-CSRFToken": self.csrf}


def world(request: pytest.FixtureRequest, app: Flask) -> Any:
    """Return the ids and people of a filled company, made once in 10 minutes: access ends in 30."""
    name = f"strangers-{int(time.time()) // 600}"
    return filled_once(request, app, name, lambda: (fill(app), people(app)))


def fill(app: Flask) -> dict[str, Any]:
    """Add something to each division; return ids of its rows by the names of URL arguments."""
    with app.app_context():
        by = factories.user("founder", *Division)
        ids: dict[str, Any] = {}
        for division, store in (
            (Division.GFM, MAIN),
            (Division.GFM, GUILDFORD),
            (Division.GPM, GPM),
        ):
            name = f"{SECRETS[division]} mug of {store.site}"
            item = factories.item(name, 7, store=store, category=f"{SECRETS[division]} ware")
            note = f"{SECRETS[division]} party"
            operation = factories.record(store, Decrease(item, 1), by=by, reason=note)
            ids |= {f"{division}-{store.site}": item, f"{division}-{store.site}-op": operation}
        secret = SECRETS[Division.GPM]
        factories.team(f"{secret} team")
        factories.supplier(f"{secret} supplier")
        factories.service(f"{secret} service", description=f"{secret} cleaning")
        factories.key(secret, name=f"{secret} room", holder=f"{secret} holder")
        ids["delivery_id"] = factories.delivery(f"{secret} cup", supplier=f"{secret} supplier")
        secret = SECRETS[Division.FLEET]
        ids["vehicle_id"] = factories.vehicle(secret, make=f"{secret} make")
        ids["check_id"] = factories.check(secret, by=by, photos=["front.jpg"], notes=secret)
        start = dates.utc_now().replace(second=0, microsecond=0)
        times = TimeSpan(start, start + timedelta(hours=8))
        texts = {"for_name": f"{secret} driver", "purpose": f"{secret} tools"}
        booked = BookingRequest(BookingKind.VEHICLE, times, plate_key(secret), **texts)
        ids["key"] = booked.subject_key
        with transaction():
            book([booked], by=by)
            report = DefectReport(secret, "brakes", f"{secret} brakes", Severity.STOP, day=DAY)
            defect = open_defect(report, by=by)
            off_road = current_times([defect.reg_key])
            ids["time_id"] = off_road[defect.reg_key].id
        ids["reg"] = secret
        sent = [SentFile.with_data(f"{secret}.pdf", pdf(secret))]
        [ids["attachment_id"]] = factories.attach(sent, by=by)
        secret = SECRETS[Division.ASSETS]
        ids["number"] = factories.asset(
            f"{secret} desk", id=f"{secret}1", location=f"{secret} hall"
        )
    return ids


def people(app: Flask) -> list[Somebody]:
    """Return people of every kind: strangers, each division, pairs, all, and those who left."""
    granted: dict[str, tuple[Division, ...]] = {
        "+".join(owners): owners
        for size in (1, 2, len(Division))
        for owners in combinations(Division, size)
    }
    with app.app_context():
        for name, owners in granted.items():
            factories.user(name, *owners)
        factories.user("scopes", scopes=["gfm:read", "fleet:read"])
        factories.user("permission before scope", Division.ASSETS, scopes=["gfm:read"])
        for name in (*LEFT, *UNCHOSEN, "demoted", "reader", "late"):
            factories.user(name, *Division)
        for name, (workers, others) in MIXED.items():
            factories.user(name, *others, roles=[Role.MANAGER if "manag" in name else Role.VIEWER])
            with transaction():
                users.grant(name, workers, (), [Role.WORKER])
    everybody = [
        *(_with_all_roles(name, *owners) for name, owners in granted.items()),
        _with_all_roles("scopes", Division.GFM, Division.FLEET),
        *(_with_all_roles(name, Division.ASSETS) for name in ("permission before scope", "moved")),
        *(_with_all_roles(name, *Division) for name in ("late", "undecided", "reader")),
        replace(_with_all_roles("demoted", *Division), working_in=frozenset()),
        Somebody("none", is_signed_in=True),
        *(
            Somebody(
                name,
                frozenset((*workers, *others)),
                frozenset(workers),
                frozenset(others if "manag" in name else ()),
                is_signed_in=True,
            )
            for name, (workers, others) in MIXED.items()
        ),
        *map(Somebody, LEFT),
    ]
    signed_in = [_sign_in(app, each) for each in everybody]
    with app.app_context(), transaction():
        _change_while_signed_in(signed_in)
    stranger = Somebody("stranger")
    return [stranger, replace(stranger, name="forger", cookie="x.y.z", access="x.y"), *signed_in]


def _with_all_roles(name: str, *owners: Division) -> Somebody:
    return Somebody(name, *[frozenset(owners)] * 3, is_signed_in=True)


def _sign_in(app: Flask, who: Somebody) -> Somebody:
    then = dates.utc_now() - timedelta(minutes=31 if who.is_late else 0)
    token = {"username": who.name, "password": PASSWORD}
    if who.is_read_only:
        token["access"] = "read"
    with patch.object(dates, "utc_now", lambda: then):
        person = Person(app)
        person.sign_in(who.name, follow=False)
        csrf = person.open("/change-password").fields()["csrf_token"]
        reply = app.test_client().post("/api/auth/login", json=token)
    cookie = person.client.get_cookie("session")
    assert cookie is not None
    return replace(who, cookie=cookie.value, csrf=csrf, access=reply.json["accessToken"])


def _change_while_signed_in(everybody: list[Somebody]) -> None:
    """Choose a division for everybody, and take away what some had when they signed in."""
    for who in everybody:
        if who.has_chosen and who.divisions:
            _change_sessions(who.name, chosen_division=min(who.divisions, key=list(Division).index))
    _change_sessions("moved", chosen_division=Division.GFM)
    users.revoke("none", Division, ())
    users.revoke("moved", (Division.GFM, Division.GPM, Division.FLEET), ())
    users.grant("demoted", Division, (), [Role.VIEWER])
    users.revoke("demoted", Division, (), [Role.WORKER])
    users.disable("disabled")
    _change_sessions("ended", revoked_at=dates.utc_now())
    _change_sessions("expired", expires_at=dates.utc_now() - timedelta(seconds=1))


def _change_sessions(username: str, **values: object) -> None:
    of_user = LoginSession.user_id.in_(select(User.id).where(User.username_key == username))
    db.session.execute(update(LoginSession).where(of_user).values(values))
