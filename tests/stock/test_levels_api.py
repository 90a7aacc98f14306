"""Minimums and targets by JSON, by files, and on their pages."""

from datetime import timedelta

import pytest

from app import dates
from app.divisions import Division, Role
from tests import factories
from tests.person import Caller

GIVEN = {"item": "Red heart", "minimum": 5, "target": 9, "pack": 3, "supplier": "Office & Co"}
LEVEL = {**GIVEN, "source": "supplier", "fromSite": None, "leadDays": None}
URL = "/api/gfm/levels/main"


@pytest.fixture(autouse=True)
def _items(in_app):
    in_app(factories.items, [("Red heart", 3), ("Mug", 5)])


@pytest.fixture
def manager(in_app, person):
    in_app(factories.user, "boss", Division.GFM)
    person.sign_in("boss", follow=False)
    return Caller(person)


def tag(call):
    return call("GET", URL).headers["ETag"]


def put(call, *levels, version=None):
    return call("PUT", URL, list(levels), If_Match=version or tag(call))


def listed(call):
    return call("GET", URL).json


def test_the_whole_list_is_replaced_and_read_back(manager):
    assert put(manager, GIVEN).json == {"added": 1, "changed": 0, "unchanged": 0, "removed": 0}
    assert listed(manager)[1] == LEVEL
    assert put(manager, {"item": "mug", "minimum": 2}).json["removed"] == 1
    assert [row["minimum"] for row in listed(manager)] == [2, None]


def test_a_list_that_has_changed_since_is_refused(manager):
    old = tag(manager)
    put(manager, GIVEN)
    assert put(manager, GIVEN, version=old).status_code == 412
    assert manager("PUT", URL, [GIVEN]).status_code == 428


def test_the_tag_of_stock_stays_when_a_level_is_set(manager):
    before = manager("GET", "/api/gfm/inventory/main").headers["ETag"]
    put(manager, GIVEN)
    assert manager("GET", "/api/gfm/inventory/main").headers["ETag"] == before


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({**GIVEN, "target": 4}, "0.target", "Target must be at least the minimum (5)."),
        ({**GIVEN, "pack": 0}, "0.pack", "Pack must be at least 1"),
        ({"item": "Cup"}, "0.item", 'There is no item "Cup" at Main.'),
        ({**GIVEN, "source": "site"}, "0.fromSite", "Choose another site than this one."),
    ],
)
def test_wrong_levels_are_refused_at_their_field(manager, wrong, field, message):
    reply = put(manager, wrong)
    assert (reply.status_code, reply.json["fields"]) == (422, {field: message})


def test_an_item_is_in_the_list_once(manager):
    reply = put(manager, GIVEN, {"item": "RED heart"})
    assert reply.json["fields"] == {"1.item": '"RED heart" is in the list twice'}


def test_workers_read_levels_and_dont_set_them(in_app, person):
    in_app(factories.user, "worker", Division.GFM, roles=[Role.WORKER])
    person.sign_in("worker", follow=False)
    worker = Caller(person)
    assert worker("GET", URL).status_code == 200
    assert put(worker, GIVEN).status_code == 403


def write(tmp_path, text):
    path = tmp_path / "levels.csv"
    path.write_text(text)
    return str(path)


def test_an_empty_cell_leaves_a_value_alone_and_a_minus_clears_it(manager, flask, tmp_path):
    put(manager, GIVEN)
    file = write(tmp_path, "item,minimum,target,supplier\nRed heart,6,-,\n")
    code, output = flask("levels", "import", "--division", "gfm", file, "--dry-run")
    assert (code, "0 added, 1 changed" in output) == (0, True)
    assert listed(manager)[1] == LEVEL
    assert flask("levels", "import", "--division", "gfm", file)[0] == 0
    assert listed(manager)[1] == {**LEVEL, "minimum": 6, "target": None}


def test_an_export_can_be_imported(manager, flask, tmp_path):
    put(manager, GIVEN)
    file = str(tmp_path / "out.csv")
    assert flask("levels", "export", "--division", "gfm", "--output", file)[0] == 0
    assert "2 unchanged" in flask("levels", "import", "--division", "gfm", file)[1]


def test_wrong_rows_are_named_with_their_columns(flask, tmp_path):
    file = write(tmp_path, "item,minimum,target\nCup,1,\nRed heart,6,5\nred heart,,\n")
    code, output = flask("levels", "import", "--division", "gfm", file)
    assert code == 1
    assert 'row 2, item: There is no item "Cup" at Main.' in output
    assert "row 3, target: Target must be at least the minimum (6)." in output
    assert 'row 4, item: "red heart" is already in row 3' in output


def test_low_items_have_a_badge_and_a_filter(manager, person):
    put(manager, GIVEN)
    assert person.open("/inventory/main").all("#rows .badge") == ["Low"]
    low = person.open("/inventory/main?level=low").text
    assert "Red heart" in low
    assert "Mug" not in low


def test_the_form_sets_a_level_and_the_page_shows_it(manager, person):
    form = person.open("/inventory/main/items/1/level")
    page = person.submit(form, minimum="5", source="supplier", supplier="Office & Co")
    assert "Office & Co" in person.open("/stock/gfm/levels").text
    assert "Red heart: minimum 5." in page.text


def test_new_lead_days_of_a_supplier_renew_the_page(manager, in_app, person):
    put(manager, GIVEN)
    tag = person.open("/stock/gfm/levels").headers["ETag"]
    assert person.open("/stock/gfm/levels", headers={"If-None-Match": tag}).status == 304
    in_app(factories.supplier, "Office & Co", lead_days=21)
    assert person.open("/stock/gfm/levels", headers={"If-None-Match": tag}).status == 200


def test_the_page_of_an_item_is_renewed_by_the_lead_days_of_its_supplier(in_app, manager, person):
    put(manager, GIVEN)
    tag = person.open("/inventory/main/items/1").headers["ETag"]
    in_app(factories.supplier, "Office & Co", lead_days=21)
    assert person.open("/inventory/main/items/1", headers={"If-None-Match": tag}).status == 200


@pytest.mark.usefixtures("manager")
def test_an_item_is_snoozed_by_a_form_that_may_arrive_twice(person):
    day = dates.today() + timedelta(days=30)
    sent = person.open("/inventory/main/items/1/snooze").fields()
    sent |= {"snoozed_until": f"{day}", "snooze_reason": "Out of season"}
    for _ in range(2):
        page = person.post("/inventory/main/items/1/snooze", sent)
        assert f"Red heart is off the reorder list until {dates.format_day(day)}." in page.text
    page = person.submit(person.open("/inventory/main/items/1/unsnooze"))
    assert "Red heart is on the reorder list again." in page.text


@pytest.mark.usefixtures("manager")
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"days": 0}, "Snooze until a day within 180 days."),
        ({"days": 181}, "Snooze until a day within 180 days."),
        ({"days": 30, "reason": " "}, "Say why it is snoozed."),
    ],
)
def test_a_wrong_snooze_is_refused(person, typed, message):
    day = dates.today() + timedelta(days=typed["days"])
    page = person.open("/inventory/main/items/1/snooze")
    refused = person.submit(
        page, snoozed_until=f"{day}", snooze_reason=typed.get("reason", "Summer")
    )
    assert message in refused.text


def withdraw_often(item):
    for days in (300, 240, 180, 120, 60):
        day = dates.today() - timedelta(days=days)
        factories.move(item, 2, on=day)
        factories.move(item, -2, on=day)


def test_suggestions_are_accepted_as_they_were_shown(in_app, manager, person):
    in_app(withdraw_often, 1)
    page = person.open("/inventory/main/levels/accept")
    assert "minimum none → 2" in page.text
    assert "Accepted: 1 item." in person.submit(page).text
    assert listed(manager)[1]["minimum"] == 2
    assert "Red heart" not in person.open("/inventory/main/levels/accept").text


def test_what_isnt_reordered_has_no_suggestion(in_app, manager, person):
    in_app(withdraw_often, 1)
    put(manager, {"item": "Red heart", "source": "none"})
    assert "Red heart" not in person.open("/inventory/main/levels/accept").text


@pytest.mark.usefixtures("manager")
def test_only_other_sites_are_offered_and_none_where_there_is_one(in_app, person):
    page = person.open("/inventory/main/items/1/level")
    sites = [each["value"] for each in page.html.select("[name=from_site] option")]
    assert sorted(sites) == ["", "guildford", "northern"]
    refused = person.submit(page, source="site", from_site="main")
    assert "Choose another site than this one." in refused.errors
    assert person.submit(page, source="site", from_site="northern").errors == []
    in_app(factories.user, "gpm", Division.GPM)
    (tea,) = in_app(factories.items, [("Tea", 5)], store=factories.GPM)
    person.sign_in("gpm", follow=False)
    page = person.open(f"/gpm/inventory/main/items/{tea}/level")
    assert page.html.select("[name=from_site]") == []
    assert "Another site" not in page.text


def test_the_filters_stay_while_suggestions_are_accepted(in_app, manager, person):
    in_app(withdraw_often, 1)
    part = person.client.get("/stock/gfm/levels?site=main&q=heart", headers={"HX-Request": "true"})
    accept = "/inventory/main/levels/accept?q=heart"
    assert f'href="{accept}"' in part.text
    page = person.submit(person.open(accept))
    assert page.html.select_one("main [name=q]")["value"] == "heart"
