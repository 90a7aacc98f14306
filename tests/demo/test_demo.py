"""The demo fills an empty database, and never one with real accounts or data."""

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
    code, output = run(app)
    assert code == 0
    assert "gfm-main-stock.csv: 3030 items." in output
    for account in ACCOUNTS:
        assert f"{account.username} / {account.password}" in output
    page = Person(app)
    page.sign_in(ACCOUNTS[0].username, ACCOUNTS[0].password)
    assert "3,030 items" in page.open("/inventory/main").text
    yesterday, a_week_ago, before = (dates.today() - timedelta(days=days) for days in (1, 7, 40))
    assert page.open(f"/history?from={before}&to={yesterday}").all("#total span")[0] == "Rows 3,700"
    assert page.open(f"/history?to={before}").all("#total span")[0] == "Rows 4,715"
    newest = page.open(f"/history?from={a_week_ago}&to={yesterday}").html.select_one("time")
    assert datetime.fromisoformat(newest["datetime"]).strftime("%a %H:%M") == "Fri 12:50"
    dashboard = page.open("/dashboard")
    assert len(dashboard.all(".recent-items li")) == 5
    assert dashboard.all(".needs .name") == ["1 item at zero", "1 item at zero"]


def test_the_demo_has_a_fleet(app):
    code, output = run(app)
    assert (code, "fleet-checks.csv: 41 checks." in output) == (0, True)
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


def test_loading_again_keeps_a_changed_fleet(app):
    run(app)
    with app.app_context():
        factories.vehicle("AB12 CDE")
    code, output = run(app)
    assert (code, "checks" in output) == (0, False)
    page = Person(app)
    page.sign_in(ACCOUNTS[1].username, ACCOUNTS[1].password)
    page.submit(page.open("/choose"), division="fleet")
    assert page.open("/vehicles").all("#total") == ["15 vehicles"]


def test_the_demo_has_assets_and_their_moves(app):
    code, output = run(app)
    assert (code, "assets.csv: 174 assets." in output) == (0, True)
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


def test_loading_again_keeps_changed_assets(app):
    run(app)
    with app.app_context():
        factories.asset("Desk")
    code, output = run(app)
    assert (code, "assets" in output) == (0, False)


def test_the_demo_is_refused_if_assets_exist(app):
    with app.app_context():
        factories.asset("Desk")
    assert run(app, "--if-empty") == (0, "")
    code, output = run(app)
    assert (code, "stock, vehicles or assets" in output) == (1, True)


def test_the_demo_is_refused_if_vehicles_exist(app):
    with app.app_context():
        factories.vehicle("AB12 CDE")
    assert run(app, "--if-empty") == (0, "")
    code, output = run(app)
    assert (code, "stock, vehicles or assets" in output) == (1, True)


def test_loading_again_adds_no_history(app):
    run(app)
    code, output = run(app)
    assert code == 0
    assert "movements" not in output


def test_the_demo_is_loaded_once_and_prints_its_accounts_each_time(app):
    run(app, "--if-empty")
    code, output = run(app, "--if-empty")
    assert code == 0
    assert "items" not in output
    assert ACCOUNTS[0].password in output


def test_the_demo_is_refused_where_real_accounts_exist(app):
    with app.app_context():
        factories.user("real", Division.GFM)
    code, output = run(app)
    assert code == 1
    assert "real accounts" in output
    assert run(app, "--if-empty") == (0, "")


@pytest.mark.own_app
def test_the_demo_is_refused_in_production(app):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], production=True)
    code, output = run(app)
    assert code == 1
    assert "a production database gets none" in output


def test_the_demo_is_refused_if_stock_exists(app):
    with app.app_context():
        factories.item("10 COLOUR SPACEBOY PEN", 7)
    assert run(app, "--if-empty") == (0, "")
    code, output = run(app)
    assert (code, "holds stock" in output) == (1, True)
    with app.app_context():
        assert factories.amount("10 COLOUR SPACEBOY PEN") == 7


@pytest.mark.own_app
def test_make_run_skips_the_demo_in_production(app):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], production=True)
    assert run(app, "--if-empty") == (0, "This is a production database; it gets no demo data.\n")
