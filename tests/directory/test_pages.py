"""The pages of teams, services and keys, without scripts."""

import logging

import pytest

from app.db import transaction
from app.directory.rules import DirectoryList, KeyState, NameState
from app.directory.services import keys, names
from tests import factories
from tests.person import rows

ADD = "main form[action='/teams']"
RENAME = "main form[action='/teams/rename']"
HTMX = {"HX-Request": "true", "HX-Target": "teams"}
SAFE = "Nothing is lost. Try again; the change is made only once."


def teams(page):
    return page.all(".names li > span")


def rename(trader, team, path="/teams"):
    """Open the form that a row becomes while it is renamed."""
    return trader.open(trader.open(path).link(f"Rename {team}"))


def test_a_team_is_added_to_the_page_without_teams(trader):
    page = trader.open("/teams")
    assert page.title == "Teams · Quartermaster"
    assert page.all("h1") == ["GPM — Teams"]
    assert (page.link("Back"), page.link("Reload")) == ("/dashboard", "/teams")
    assert page.all("label") == ["New team name"]
    assert page.all("main form button") == ["Add Team"]
    assert page.all(".empty") == ["No teams yet. Add the first one above. Bring a list"]
    added = trader.submit(page, ADD, name="  Kitchen ")
    assert (added.path, added.status) == ("/teams", 200)
    assert added.all(".notice.ok") == ['Added team "Kitchen".']
    assert teams(added) == ["Kitchen"]


def test_a_team_is_renamed_in_its_row(trader, in_app):
    in_app(factories.team, "Kitchen")
    in_app(factories.team, "Garden")
    form = rename(trader, "Kitchen")
    assert (teams(form), form.all(".names label")) == (["Garden"], ["New name"])
    assert form.all(".names .note") == ["Current name Kitchen"]
    assert (form.fields(RENAME)["new_name"], form.link("Cancel")) == ("Kitchen", "/teams")
    page = trader.submit(form, RENAME, new_name=" Canteen")
    assert page.all(".notice.ok") == ['Renamed "Kitchen" to "Canteen".']
    assert teams(page) == ["Canteen", "Garden"]


def test_a_team_that_was_renamed_meanwhile_is_named_above_the_list(trader, in_app):
    in_app(factories.team, "Kitchen")
    first, second = (rename(trader, "Kitchen") for _ in range(2))
    trader.submit(first, RENAME, new_name="Canteen")
    refused = trader.submit(second, RENAME, new_name="Bar")
    assert (refused.status, refused.errors) == (404, ['There is no team "Kitchen".'])
    assert teams(refused) == ["Canteen"]


def test_a_service_is_renamed_in_its_row(trader, in_app):
    in_app(factories.service, "Window cleaning", "Twice a year")
    in_app(factories.service, "Portering")
    form = rename(trader, "Portering", "/services?q=port")
    assert rows(form) == [["Current name Portering New name Rename Cancel"]]
    page = trader.submit(form, "form.rename", new_name="window CLEANING")
    assert (page.status, page.errors[0]) == (409, 'Name already exists: "Window cleaning"')
    assert page.all("#rows .error") == ['Name already exists: "Window cleaning"']
    page = trader.submit(page, "form.rename", new_name="Portering and post")
    assert page.path == "/services?q=port"
    assert page.all(".notice.ok") == ['Renamed "Portering" to "Portering and post".']
    assert trader.open("/services/rename").path == "/services"


@pytest.mark.parametrize(
    ("form", "typed", "status", "errors"),
    [
        (ADD, {"name": "  "}, 422, ["New team name is required"]),
        (ADD, {"name": "x" * 101}, 422, ["New team name must be at most 100 characters"]),
        (ADD, {"name": "KITCHEN"}, 409, ['Name already exists: "Kitchen"']),
        (RENAME, {"new_name": " "}, 422, ["New name is required"]),
        (RENAME, {"new_name": "garden"}, 409, ['Name already exists: "Garden"']),
    ],
)
def test_errors_appear_above_the_form_and_at_the_field(trader, in_app, form, typed, status, errors):
    in_app(factories.team, "Kitchen")
    in_app(factories.team, "Garden")
    page = trader.submit(rename(trader, "Kitchen"), form, **typed)
    assert page.status == status
    assert page.title.startswith("Error: ")
    assert page.all("[role=alert] h2") == ["There is a problem"]
    assert page.all(".notice.bad li") == errors
    assert page.all(".field .error") == errors
    fields = page.fields(form)
    assert all(fields[name] == typed[name] for name in typed)
    assert teams(trader.open("/teams")) == ["Garden", "Kitchen"]


def test_a_form_submitted_twice_adds_once_with_the_same_reply(trader):
    page = trader.open("/teams")
    for _ in range(2):
        added = trader.submit(page, ADD, name="Kitchen")
        assert added.all(".notice.ok") == ['Added team "Kitchen".']
    refused = trader.submit(page, ADD, name="Garden")
    assert refused.errors[0] == "This was saved with other values. Check it before you save again."
    assert teams(trader.submit(refused, ADD)) == ["Garden", "Kitchen"]


def test_htmx_gets_forms_list_and_message_in_one_fragment(trader):
    page = trader.open("/teams")
    added = trader.submit(page, ADD, follow=False, headers=HTMX, name="Kitchen")
    assert added.status == 200
    assert added.html.select("h1, html") == []
    assert added.all("[data-hx-swap-oob='innerHTML:#live']") == ['Added team "Kitchen".']
    assert teams(added) == ["Kitchen"]
    assert added.fields("form[action='/teams']")["name"] == ""
    assert added.fields("form[action='/teams']")["key"] != page.fields(ADD)["key"]
    form = "form[action='/teams/rename']"
    row = trader.open(added.link("Rename Kitchen"), headers=HTMX)
    renamed = trader.submit(row, form, follow=False, headers=HTMX, new_name="Canteen")
    assert renamed.all("[data-hx-swap-oob]") == ['Renamed "Kitchen" to "Canteen".']
    row = trader.open(renamed.link("Rename Canteen"), headers=HTMX)
    refused = trader.submit(row, form, follow=False, headers=HTMX, new_name="")
    assert (refused.status, refused.errors[0]) == (422, "New name is required")
    assert refused.html.select("[data-hx-swap-oob]") == []


def test_a_changed_list_is_sent_again(app, trader, in_app):
    in_app(factories.team, "Kitchen")
    in_app(factories.key, "K1")
    changes = {
        "/teams": lambda: names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen"),
        "/services": lambda: names.add(DirectoryList.SERVICES, NameState("Windows")),
        "/keys": lambda: keys.set_keys([KeyState("K1", holder="Canteen")], by=None),
        "/keys/1/history": lambda: keys.record_handovers([keys.PastHandover("K1", "Bar")], by=1),
    }
    for path, change in changes.items():
        tag = trader.open(path).headers["ETag"]
        assert trader.open(path, headers={"If-None-Match": tag}).status == 304
        with app.app_context(), transaction():
            change()
        assert trader.open(path, headers={"If-None-Match": tag}).status == 200, path


def test_teams_that_cannot_be_read_leave_an_empty_list_an_alert_and_a_log(
    trader, unreadable_teams, caplog
):
    with caplog.at_level(logging.ERROR):
        page = trader.open("/teams")
    assert page.status == 200
    assert page.alerts == ["Failed to load teams. Try again in a moment."]
    assert page.all(".names, .empty") == []
    assert "ETag" not in page.headers
    assert "Failed to load teams" in caplog.text


def test_a_failed_change_of_teams_shows_its_message(trader, unreadable_teams):
    page = trader.open("/teams")
    added = trader.submit(page, ADD, name="Kitchen")
    assert added.alerts == [f"Failed to add team. {SAFE}"]
    sent = page.fields(ADD) | {"old_name": "Kitchen", "new_name": "Canteen"}
    renamed = trader.post("/teams/rename", sent)
    assert renamed.alerts == [f"Failed to rename team. {SAFE}"]


def test_services_are_a_table_of_names_and_descriptions_that_a_search_narrows(trader, in_app):
    assert trader.open("/services").all(".empty p")[0] == "No services."
    in_app(factories.service, "Window cleaning", "Twice a year")
    in_app(factories.service, "Portering")
    page = trader.open("/services")
    assert page.title == "Services · Quartermaster"
    assert page.all("h1") == ["GPM — Services"]
    assert page.all("thead th") == ["Name", "Description", "Actions"]
    names_ = [row[:2] for row in rows(page)]
    assert names_ == [["Portering", ""], ["Window cleaning", "Twice a year"]]
    assert page.all("#total") == ["2 services"]
    assert page.html.select("main form[method=post]") == []
    found = rows(trader.open("/services?q=TWICE%20clean"))
    assert found == [["Window cleaning", "Twice a year", "Rename"]]
    none = trader.open("/services?q=roof")
    assert (none.all(".empty p"), none.link("Reset")) == (["No services match."], "/services")


def test_keys_are_a_table_of_keys_holders_and_notes(trader, in_app):
    assert trader.open("/keys").all(".empty p")[0] == "No keys."
    in_app(factories.key, "K1", name="Boiler room", holder="Kitchen", notes="Ask first")
    in_app(factories.key, "", name="Front gate")
    page = trader.open("/keys")
    assert page.title == "Keys · Quartermaster"
    assert page.all("h1") == ["GPM — Keys"]
    assert page.all("thead th") == ["Key", "Holder", "Notes", "Actions"]
    assert rows(page) == [
        ["Front gate", "–", "", "Hand over"],
        ["K1 Boiler room", "Kitchen since today", "Ask first", "Hand over Return"],
    ]
    assert page.html.select("main form[method=post]") == []


FOUND = [("kitchen", ["K1"]), ("boil ASK", ["K1"]), ("k", ["K1", "K2"]), ("k1 garden", [])]


def test_a_search_finds_keys_by_every_column(trader, in_app):
    in_app(factories.key, "K1", name="Boiler room", holder="Kitchen", notes="Ask first")
    in_app(factories.key, "K2", holder="Garden")
    for search, found in FOUND:
        path = f"/keys?q={search}"
        for page in (trader.open(path), trader.fragment(path, "list")):
            assert page.all("#rows th a") == found
            total = page.all("#total, [data-hx-swap-oob='innerHTML:#total']")
            assert total == [f"{len(found)} match{'' if len(found) == 1 else 'es'}"]
            if not found:
                assert page.all(".empty p") == ["No keys match."]
                assert page.link("Reset") == "/keys"


def test_long_lists_are_paged(trader, in_app):
    in_app(factories.directory, 130)
    for path in ("/services", "/keys"):
        first = trader.open(path)
        assert "Page 1 / 2 · Showing 100 of 130" in first.text
        second = trader.open(first.link("Next"))
        assert len(rows(first)) == 100
        assert len(rows(second)) == 30
        assert trader.open(f"{path}?page=99").text == second.text


def test_a_key_links_to_its_handovers(app, trader, in_app):
    for holder in ("Kitchen", "Garden"):
        in_app(factories.key, "K1", name="Boiler room", holder=holder)
    page = trader.open(trader.open("/keys").link("K1"))
    assert page.all("h1") == ["K1"]
    assert page.all("thead th") == ["Since", "Holder", "Before", "Changed by"]
    assert [row[1:] for row in rows(page)] == [
        ["Garden", "Kitchen", "Terminal"],
        ["Kitchen", "–", "Terminal"],
    ]
    assert page.link("Back") == "/keys"


def test_the_history_of_a_key_is_empty_at_first_and_paged_when_long(trader, in_app):
    in_app(factories.key, "K1")
    page = trader.open("/keys/1/history")
    assert page.all(".empty p") == ["This key has not changed hands yet."]
    assert trader.open("/keys/99/history").status == 404
    for n in range(51):
        in_app(factories.key, "K1", holder=f"Team {n}")
    first = trader.open("/keys/1/history")
    assert len(rows(first)) == 50
    assert rows(trader.open(first.link("Next")))[0][1] == "Team 0"


def test_the_menu_of_gpm_links_to_all_three(trader):
    page = trader.open("/dashboard")
    links = [page.link(name) for name in ("Teams", "Services", "Keys")]
    assert links == ["/teams", "/services", "/keys"]
