"""The demo: real stock in an empty database, never beside real accounts."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app import dates
from app.demo.services import ACCOUNTS
from app.divisions import Division
from tests import factories
from tests.person import Caller, Person


def run(app, *arguments):
    result = app.test_cli_runner().invoke(args=["demo", "load", *arguments])
    return result.exit_code, result.output


@pytest.mark.both_engines
def test_the_demo_fills_an_empty_database(app):
    code, said = run(app)
    assert code == 0
    assert "gfm-main-stock.csv: 3030 items." in said
    for account in ACCOUNTS:
        assert f"{account.username} / {account.password}" in said
    page = Person(app)
    page.sign_in(ACCOUNTS[0].username, ACCOUNTS[0].password)
    assert "3,030 items" in page.open("/inventory/main").text
    yesterday, a_week_ago, before = (dates.today() - timedelta(days=days) for days in (1, 7, 40))
    assert page.open(f"/history?from={before}&to={yesterday}").all("#total") == ["3,700 rows"]
    assert page.open(f"/history?to={before}").all("#total") == ["4,715 rows"]
    newest = page.open(f"/history?from={a_week_ago}&to={yesterday}").html.select_one("time")
    assert datetime.fromisoformat(newest["datetime"]).strftime("%a %H:%M") == "Fri 12:50"


def test_the_demo_has_a_fleet_to_look_after(app):
    code, said = run(app)
    assert (code, "fleet-checks.csv: 41 checks." in said) == (0, True)
    page = Person(app)
    page.sign_in(ACCOUNTS[1].username, ACCOUNTS[1].password)
    page.submit(page.open("/choose"), division="fleet")
    tiles = page.open("/dashboard").all("a.tile")
    assert tiles[0] == "Vehicles 14 3 available · 7 in use · 2 in repair 2 off the road"
    assert tiles[2] == "Checks list 41 checks 26 not reviewed"
    flagged = page.open("/fleetChecksList?flags=flagged")
    assert flagged.all("#total") == ["9 checks"]
    assert flagged.text.count("Odometer fell") == 1
    checks = Caller(page)("GET", "/api/fleet/checks").json
    assert len({check["_formType"] for check in checks}) == 6
    photos = [photo for check in checks for photo in check["photos"]]
    assert len(photos) == 5
    for photo in photos:
        assert page.client.get(photo["thumbnail"]).mimetype == "image/jpeg"


def test_the_demo_leaves_a_fleet_alone_that_somebody_has_changed(app):
    run(app)
    with app.app_context():
        factories.vehicle("AB12 CDE")
    code, said = run(app)
    assert (code, "checks" in said) == (0, False)
    page = Person(app)
    page.sign_in(ACCOUNTS[1].username, ACCOUNTS[1].password)
    page.submit(page.open("/choose"), division="fleet")
    assert page.open("/vehicles").all("#total") == ["15 vehicles"]


def test_the_demo_has_a_register_whose_assets_have_moved(app):
    code, said = run(app)
    assert (code, "assets.csv: 174 assets." in said) == (0, True)
    page = Person(app)
    page.sign_in(ACCOUNTS[1].username, ACCOUNTS[1].password)
    page.submit(page.open("/choose"), division="assets")
    dashboard = page.open("/dashboard")
    assert dashboard.all("a.tile")[1] == "History 47 entries"
    assert len(dashboard.all(".shares li")) == 5
    assert len(dashboard.all("table.log tbody tr")) == 12
    last_week = dates.today() - timedelta(days=7)
    history = page.open(f"/assets/history?from={last_week}")
    assert len(history.all("#rows tr")) > 3
    assert history.all("[name=who] option") == ["Anyone", "manager", "Terminal"]


def test_the_demo_leaves_assets_alone_that_somebody_has_changed(app):
    run(app)
    with app.app_context():
        factories.asset("Desk")
    code, said = run(app)
    assert (code, "assets" in said) == (0, False)


def test_the_demo_does_not_touch_assets_that_are_there_without_accounts(app):
    with app.app_context():
        factories.asset("Desk")
    assert run(app, "--if-empty") == (0, "")
    code, said = run(app)
    assert (code, "stock, vehicles or assets" in said) == (1, True)


def test_the_demo_does_not_touch_vehicles_that_are_there_without_accounts(app):
    with app.app_context():
        factories.vehicle("AB12 CDE")
    assert run(app, "--if-empty") == (0, "")
    code, said = run(app)
    assert (code, "stock, vehicles or assets" in said) == (1, True)


def test_a_demo_loaded_again_another_day_has_its_history_once(app):
    run(app)
    code, said = run(app)
    assert code == 0
    assert "movements" not in said


def test_the_demo_is_loaded_once_and_its_accounts_are_named_again(app):
    run(app, "--if-empty")
    code, said = run(app, "--if-empty")
    assert code == 0
    assert "items" not in said
    assert ACCOUNTS[0].password in said


def test_the_demo_is_refused_where_real_accounts_exist(app):
    with app.app_context():
        factories.user("real", Division.GFM)
    code, said = run(app)
    assert code == 1
    assert "real accounts" in said
    assert run(app, "--if-empty") == (0, "")


@pytest.mark.own_app
def test_the_demo_is_refused_in_production(app):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], production=True)
    code, said = run(app)
    assert code == 1
    assert "a production database gets none" in said


def test_the_demo_does_not_touch_stock_that_is_there_without_accounts(app):
    with app.app_context():
        factories.item("10 COLOUR SPACEBOY PEN", 7)
    assert run(app, "--if-empty") == (0, "")
    code, said = run(app)
    assert (code, "holds stock" in said) == (1, True)
    with app.app_context():
        assert factories.amount("10 COLOUR SPACEBOY PEN") == 7


@pytest.mark.own_app
def test_make_run_goes_on_without_the_demo_in_production(app):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], production=True)
    assert run(app, "--if-empty") == (0, "This is a production database; it gets no demo data.\n")
