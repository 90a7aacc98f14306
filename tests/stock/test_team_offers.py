"""GPM's team fields offer the directory's teams."""

import json
import logging

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.directory.rules import DirectoryList
from app.directory.services import names
from app.divisions import Division
from tests import factories
from tests.factories import GPM
from tests.person import Person


@pytest.fixture
def action(app, person):
    with app.app_context():
        factories.user("trader", Division.GPM)
        item = factories.item("Tea", 5, store=GPM)
        factories.team("Kitchen")
        factories.team("Garden")
    person.sign_in("trader", follow=False)
    return f"/gpm/inventory/main/items/{item}/action"


def offers(person, action):
    """Return the teams that the dialog and the bulk update offer."""
    in_dialog = [o["value"] for o in person.open(action).html.select("#team-offers option")]
    bulk = person.open("/gpm/inventory/main/bulk")
    assert bulk.status == 200
    in_bulk = json.loads(bulk.html.select_one("[data-widget]")["data-props"])["teams"]
    assert in_dialog == in_bulk
    return in_bulk


def test_gpms_dialogs_offer_its_teams_and_after_a_rename_the_new_name_alone(app, person, action):
    assert offers(person, action) == ["Garden", "Kitchen"]
    typed = {"quantity": "1", "team": "Kitchen"}
    assert person.submit(person.open(action), **typed).status == 200
    with app.app_context(), transaction():
        names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen")
    assert offers(person, action) == ["Canteen", "Garden"]
    assert "Kitchen" in person.open("/gpm/history").all("#rows td")


def test_teams_that_cannot_be_read_leave_an_empty_offer_and_a_log(app, person, action, caplog):
    with app.app_context(), transaction():
        db.session.execute(text("ALTER TABLE team RENAME TO team_elsewhere"))
    with caplog.at_level(logging.ERROR):
        assert offers(person, action) == []
    assert caplog.text.count("Failed to load teams") >= 2
    done = person.submit(person.open(action), quantity="2", team="Kitchen")
    assert done.all(".notice.ok p") == ["Tea: withdrew 2, 3 left."]


def test_a_team_of_the_directory_appears_in_history_even_under_an_implausible_name(
    app, in_app, person, action
):
    in_app(factories.team, "Carpet Cleaning")
    page = person.open(action)
    person.submit(page, quantity="1", team="Carpet Cleaning")
    history = person.open("/gpm/history")
    assert "Carpet Cleaning" in history.all("[name=team] option")
    for found in ("/gpm/history", "/gpm/history?team=Carpet+Cleaning", "/gpm/history?q=carpet"):
        assert person.open(found).all("tbody tr td:nth-child(3)")[0] == "Carpet Cleaning", found
    with app.app_context(), transaction():
        names.rename(DirectoryList.TEAMS, "Carpet Cleaning", "Floors")
    assert "Carpet Cleaning" in person.open("/gpm/history").all("tbody tr td:nth-child(3)")


def recent(person, path):
    """Return the recent teams that a dialog offers, and the one that is chosen."""
    page = person.open(path)
    chosen = [team["value"] for team in page.html.select("[name=recent_team][checked]")]
    return page.all(".pick"), chosen


def test_the_last_three_teams_are_offered_and_the_last_one_is_chosen(in_app, person, action):
    assert recent(person, action) == ([], [])
    for team in ("Shop", "Bar"):
        in_app(factories.team, team)
    for team in ("Garden", "Kitchen", "kitchen ", "Shop", "Bar"):
        person.submit(person.open(action), team=team)
        person.submit(person.open(action + "?mode=inc"), team=team)
    assert recent(person, action) == (["Bar", "Shop", "Kitchen"], ["Bar"])
    refused = person.submit(person.open(action), recent_team="Shop", quantity="0")
    assert [team["value"] for team in refused.html.select("[checked][name=recent_team]")] == [
        "Shop"
    ]
    done = person.submit(refused, quantity="1")
    assert done.all(".notice.ok p") == ["Tea: withdrew 1, 4 left."]
    assert recent(person, action) == (["Shop", "Bar", "Kitchen"], ["Shop"])


def test_deliveries_and_withdrawals_choose_the_team_of_their_own_last_one(person, action):
    person.submit(person.open(action + "?mode=inc"), team="Garden")
    person.submit(person.open(action), team="Kitchen")
    assert recent(person, action) == (["Kitchen", "Garden"], ["Kitchen"])
    assert recent(person, action + "?mode=inc") == (["Garden", "Kitchen"], ["Garden"])
    assert recent(person, "/gpm/inventory/main/add") == (["Garden", "Kitchen"], ["Garden"])


def test_a_team_that_was_renamed_or_removed_is_not_offered(app, person, action):
    person.submit(person.open(action), team="Kitchen")
    with app.app_context(), transaction():
        names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen")
    assert recent(person, action) == ([], [])


def test_recent_teams_are_those_of_the_user_alone(app, in_app, person, action):
    in_app(factories.user, "colleague", Division.GPM)
    person.submit(person.open(action), team="Kitchen")
    colleague = Person(app)
    colleague.sign_in("colleague", follow=False)
    assert recent(colleague, action) == ([], [])


def test_a_transfer_takes_no_recent_team(app, keeper, stock):
    item = stock("Red heart", 10)
    action = f"/inventory/main/items/{item}/action"
    keeper.submit(keeper.open(action), team="Kitchen")
    form = keeper.open(action + "?mode=transfer")
    keeper.submit(form, recent_team="Kitchen", destination="guildford")
    teams = keeper.open(f"/inventory/main/items/{item}/history").all("#rows td:nth-of-type(4)")
    assert teams[:2] == ["", "Kitchen"]


def test_a_team_that_may_be_another_one_is_confirmed_first(app, person, action):
    half = person.submit(person.open(action), team="Kitch")
    new = 'New team "Kitch"'
    assert (half.status, half.question) == (422, [f"{new}? Or", "Kitchen", new])
    done = person.submit(half, new="Kitch")
    assert done.all(".notice.ok p") == ["Tea: withdrew 1, 4 left."]
    # The history has it now.
    assert person.submit(person.open(action), team="kitch").status == 200
    added = {"name": "Tea", "amount": "2", "deliver": "1", "team": "Gardn"}
    page = person.submit(person.open("/gpm/inventory/main/add"), **added)
    assert page.question[1:-1] == ["Garden"]
    bulk = person.open("/gpm/inventory/main/bulk")
    lines = {"lines-0-name": "Tea", "lines-0-quantity": "1"}
    page = person.submit(bulk, action="withdrawal", team="Gardn", **lines)
    assert page.question[1:-1] == ["Garden"]
    assert person.submit(page, team="Garden").all(".notice.ok p") == ["Withdrawal: 1 item."]
