"""The reorder list on its page and by JSON."""

import pytest

from app.db import transaction
from app.deliveries.queries import on_order
from app.divisions import Division, Role, Site
from app.reorder import acts
from app.stock.rules.levels import LevelState, Source
from app.stock.services.levels import set_level
from tests import factories
from tests.factories import GUILDFORD, MAIN
from tests.person import Caller

PAGE = "/stock/gfm/reorder"
API = "/api/gfm/reorder"


@pytest.fixture
def low(in_app):
    def make():
        by = factories.user("boss", Division.GFM)
        heart = factories.item("Red heart", 3)
        with transaction():
            level = LevelState(12, supplier="Acme | Sons")
            set_level(MAIN, heart, level, revision=0, by=by)

    in_app(make)


def sign_in(person, username):
    person.sign_in(username, follow=False)
    return Caller(person)


def test_the_page_makes_what_its_button_says(low, person):
    sign_in(person, "boss")
    page = person.open(PAGE)
    assert page.all("form.reorder button") == ["Create 1 delivery"]
    made = person.submit(page, "form.reorder")
    assert "Created 1 delivery." in made.text
    assert "Acme | Sons" in person.open(PAGE).text


def test_wrong_quantities_come_back_as_typed_with_the_item(low, person):
    sign_in(person, "boss")
    page = person.submit(person.open(PAGE), "form.reorder", quantity="-2")
    assert page.errors[0] == "Red heart: Quantity must be at least 0"
    assert page.fields("form.reorder")["quantity"] == "-2"
    (field,) = page.html.select("[aria-invalid=true]")
    assert page.html.find(id=field["aria-describedby"]).text == "Quantity must be at least 0"


@pytest.mark.parametrize(
    "basis",
    [
        "",
        "[]",
        "{}",
        "null",
        '["Red heart"]',
        "[" * 10_000,
        '["Red heart", "1e9999", 0, "", 0, ""]',
    ],
)
def test_a_list_that_cannot_be_read_is_to_be_opened_again(low, person, basis):
    sign_in(person, "boss")
    page = person.submit(person.open(PAGE), "form.reorder", line=basis)
    assert page.errors == ["Open the list again."]


def test_a_list_that_lacks_a_quantity_is_to_be_opened_again(low, in_app, person):
    sign_in(person, "boss")
    sent = person.open(PAGE).fields("form.reorder")
    page = person.post(f"{PAGE}/create", {**sent, "line": [sent["line"], sent["line"]]})
    assert page.errors == ["Open the list again."]
    assert in_app(on_order, Division.GFM, [1]) == {}


def test_the_bar_says_what_the_typed_quantities_make(low, in_app, person):
    sign_in(person, "boss")
    page = person.open(PAGE)
    in_app(factories.move, 1, -1)
    again = person.submit(page, "form.reorder", quantity="0")
    assert again.errors == ["Enter the quantity of an item."]
    assert again.all("form.reorder button") == ["Create what is entered"]


def test_a_later_page_comes_back_as_typed(in_app, person, monkeypatch):
    def fill():
        by = factories.user("boss", Division.GFM)
        for item in factories.items([(f"Item {n}", 3) for n in range(3)]):
            with transaction():
                set_level(MAIN, item, LevelState(12), revision=0, by=by)

    monkeypatch.setattr(acts, "LINES_PER_PAGE", 2)
    in_app(fill)
    sign_in(person, "boss")
    page = person.open(f"{PAGE}?page=2")
    assert page.all("form.reorder th a") == ["Item 2"]
    again = person.submit(page, "form.reorder", quantity="many")
    assert again.all("form.reorder th a") == ["Item 2"]
    assert again.fields("form.reorder")["quantity"] == "many"


def test_what_a_site_cannot_spare_is_taken_from_it_all_the_same(in_app, person):
    def fill():
        by = factories.user("boss", Division.GFM)
        heart = factories.item("Red heart", 3)
        (other,) = factories.items([("Red heart", 5)], store=GUILDFORD)
        level = LevelState(12, source=Source.SITE, from_site=Site.GUILDFORD)
        with transaction():
            set_level(MAIN, heart, level, revision=0, by=by)
            set_level(GUILDFORD, other, LevelState(5), revision=0, by=by)

    in_app(fill)
    sign_in(person, "boss")
    page = person.open(PAGE)
    assert "Guildford has none to spare." in page.text
    made = person.submit(page, "form.reorder", quantity="4")
    assert "Created 1 transfer." in made.text


def test_a_line_whose_amount_moved_comes_back_as_typed(low, in_app, person):
    sign_in(person, "boss")
    page = person.open(PAGE)
    in_app(factories.move, 1, -1)
    again = person.submit(page, "form.reorder", quantity="30")
    assert again.fields("form.reorder")["quantity"] == "30"
    assert again.errors == ["Since you opened this page Red heart went from 3 to 2. Look again."]


def test_who_comes_second_is_told_that_nothing_was_made(low, person):
    sign_in(person, "boss")
    page = person.open(PAGE)
    person.submit(person.open(PAGE), "form.reorder")
    again = person.submit(page, "form.reorder")
    assert "Nothing to reorder at Main." in again.text
    assert again.errors == [
        "Since you opened this page what is on order of Red heart went from 0 to 9. Look again."
    ]


def test_viewers_read_the_list_and_create_nothing(low, in_app, person):
    in_app(factories.user, "viewer", Division.GFM, roles=[Role.VIEWER])
    call = sign_in(person, "viewer")
    assert person.open(PAGE).all("form.reorder button") == []
    assert call("POST", API, {"lines": []}).status_code == 403
    header = person.client.get(f"{PAGE}.csv").text.splitlines()[0].split(",")
    assert set(header) == set(call("GET", API).json[0]) - {"available"}


def test_the_list_and_its_orders_by_json(low, person):
    call = sign_in(person, "boss")
    (line,) = call("GET", API).json
    assert line["why"] == "Below 12: 3 here."
    assert (line["quantity"], line["supplier"], line["from"]) == (9, "Acme | Sons", None)
    sent = {name: line[name] for name in ("item", "quantity", "here", "onOrder", "supplier")}
    reply = call("POST", API, {"lines": [sent]})
    assert (reply.status_code, reply.json["transfers"]) == (201, [])
    assert call("POST", API, {"lines": [sent]}).status_code == 409
    assert call("GET", f"{API}?site=nowhere").status_code == 422


def test_a_line_that_comes_from_the_site_itself_is_refused_at_its_field(low, person):
    call = sign_in(person, "boss")
    line = {"item": "Red heart", "quantity": 2, "here": 3, "available": 3, "from": "main"}
    refused = call("POST", API, {"lines": [line]})
    assert (refused.status_code, list(refused.json["fields"])) == (422, ["from"])


def test_another_site_is_named_in_the_address(low, person):
    sign_in(person, "boss")
    assert "Nothing to reorder at Guildford." in person.open(f"{PAGE}?site=guildford").text
    assert person.client.get(f"{PAGE}?site=nowhere").status_code == 404
