"""The demo fills an empty database, and never one with real accounts or data."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import select

from app import dates
from app.accounts.queries import all_users
from app.db import db
from app.defects.models import Defect, OffRoad, Repair
from app.demo.services.filling import ACCOUNTS
from app.divisions import Division
from app.events.models import RecordedEvent
from tests import factories
from tests.databases import filled_once
from tests.person import Caller, Person


def run(app, *arguments):
    result = app.test_cli_runner().invoke(args=["demo", "load", *arguments])
    return result.exit_code, result.output


def load(app):
    """Load the demo into an empty database, in both ways, and return what was printed."""
    is_sqlite = app.config["QUARTERMASTER"].database_url.startswith("sqlite")
    code, output = run(app, *(["--if-empty"] if is_sqlite else []))
    assert code == 0, output
    return output


def test_the_demo_fills_an_empty_database_with_stock_a_fleet_and_assets(app, in_app, request):
    output = filled_once(request, app, "demo", partial(load, app))
    for part in ("gfm-main-stock.csv: 3030 items.", "41 checks.", "assets.csv: 174 assets."):
        assert part in output
    for account in ACCOUNTS:
        assert f"{account.username} / {account.password}" in output
    expect_stock(signed_in(app, ACCOUNTS[0]))
    manager = signed_in(app, ACCOUNTS[1])
    manager.submit(manager.open("/choose"), division="fleet")
    expect_a_fleet(manager)
    in_app(expect_a_past_in_order)
    manager.submit(manager.open("/choose"), division="assets")
    expect_assets(manager)
    viewer = signed_in(app, ACCOUNTS[2])
    viewer.submit(viewer.open("/choose"), division="gfm")
    assert viewer.open("/inventory/main/add").status == 403


def signed_in(app, account):
    page = Person(app)
    page.sign_in(account.username, account.password)
    return page


def expect_stock(page):
    assert "3,030 items" in page.open("/inventory/main").text
    yesterday, a_week_ago, before = (dates.today() - timedelta(days=days) for days in (1, 7, 40))
    assert page.open(f"/history?from={before}&to={yesterday}").all("#total span")[0] == "Rows 3,700"
    assert page.open(f"/history?to={before}").all("#total span")[0] == "Rows 4,715"
    newest = page.open(f"/history?from={a_week_ago}&to={yesterday}").html.select_one("time")
    assert datetime.fromisoformat(newest["datetime"]).strftime("%a %H:%M") == "Fri 12:50"
    dashboard = page.open("/dashboard")
    assert len(dashboard.all(".recent-items li")) == 5
    needs = ["Main: Low 8, of these 1 at zero", "Guildford: 1 item at zero"]
    assert dashboard.all(".needs .name") == needs


def expect_a_fleet(page):
    tiles = page.open("/dashboard").all("a.tile")
    assert tiles[0] == "Vehicles 14 3 available · 7 in use · 2 in repair 3 off the road"
    assert "Checks list 46 checks 31 not reviewed" in tiles
    flagged = page.open("/fleetChecksList?flags=flagged")
    assert flagged.all("#total") == ["9 checks"]
    assert flagged.text.count("Odometer fell") == 1
    checks = Caller(page)("GET", "/api/fleet/checks").json
    assert len({check["_formType"] for check in checks} - {"mixed"}) == 6
    states = Counter(row["state"] for row in Caller(page)("GET", "/api/fleet/bookings").json)
    assert states == {"back": 2, "out": 1, "reserved": 2, "cancelled": 1}
    photos = [photo for check in checks for photo in check["photos"]]
    assert len(photos) == 5
    for photo in photos:
        assert page.client.get(photo["thumbnail"]).mimetype == "image/jpeg"


def expect_a_past_in_order():
    kinds = ("vehicle", "check", "defect", "repair", "due_item", "off_road", "reading")
    statement = select(RecordedEvent.at).where(RecordedEvent.subject_kind.in_(kinds))
    moments = db.session.execute(statement.order_by(RecordedEvent.id)).scalars().all()
    assert moments == sorted(moments)
    assert moments[-1] <= dates.utc_now()
    assert len({dates.london_day(at) for at in moments}) > 30
    defects = db.session.execute(select(Defect)).scalars().all()
    assert not [defect.title for defect in defects if defect.part.startswith("Safety")]
    for defect in defects:
        assert dates.london_day(defect.reported_at) == defect.day
        steps = [defect.reported_at, defect.assessed_at, defect.closed_at]
        assert list(filter(None, steps)) == sorted(filter(None, steps))
    times = db.session.execute(select(OffRoad.since).order_by(OffRoad.id)).scalars()
    assert [dates.today() - dates.london_day(since) for since in times] == [
        timedelta(days=days) for days in (12, 5, 5)
    ]
    months = {
        row.finished_on.replace(day=1) for row in db.session.execute(select(Repair)).scalars()
    }
    assert len(months) >= 9


def expect_assets(page):
    dashboard = page.open("/dashboard")
    assert dashboard.all("a.tile")[1] == "History 47 entries"
    assert len(dashboard.all(".shares li")) == 5
    assert len(dashboard.all("table.log tbody tr")) == 12
    last_week = dates.today() - timedelta(days=7)
    history = page.open(f"/assets/history?from={last_week}")
    assert len(history.all("#rows tr")) > 3
    assert history.all("[name=who] option") == ["Anyone", "manager", "Terminal"]


def test_loading_again_keeps_what_was_changed_and_prints_the_accounts_again(app, in_app, request):
    filled_once(request, app, "demo", partial(load, app))
    code, output = run(app)
    assert code == 0
    assert "movements" not in output
    in_app(factories.vehicle, "AB12 CDE")
    in_app(factories.asset, "Desk")
    code, output = run(app, "--if-empty")
    assert code == 0
    assert not any(part in output for part in ("checks", "assets", "items"))
    assert ACCOUNTS[0].password in output
    page = signed_in(app, ACCOUNTS[1])
    page.submit(page.open("/choose"), division="fleet")
    assert page.open("/vehicles").all("#total") == ["15 vehicles"]


@pytest.mark.parametrize(
    "add", [factories.asset, factories.vehicle, factories.item], ids=["asset", "vehicle", "stock"]
)
def test_the_demo_is_refused_where_something_is_stored(app, in_app, add):
    in_app(add)
    assert run(app, "--if-empty") == (0, "")
    code, output = run(app)
    assert (code, "holds stock, vehicles or assets" in output) == (1, True)
    with app.app_context():
        assert all_users() == []


def test_the_demo_is_refused_where_real_accounts_exist(app, in_app):
    in_app(factories.user, "real", Division.GFM)
    code, output = run(app)
    assert code == 1
    assert "real accounts" in output
    assert run(app, "--if-empty") == (0, "")


@pytest.mark.own_app
def test_the_demo_is_refused_in_production_and_make_run_skips_it(app):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], production=True)
    code, output = run(app)
    assert (code, "a production database gets none" in output) == (1, True)
    assert run(app, "--if-empty") == (0, "This is a production database; it gets no demo data.\n")
