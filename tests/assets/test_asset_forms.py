"""Adding and editing assets, as a person without scripts does it."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from app import dates
from app.assets.models import Asset
from app.assets.queries import register
from app.assets.rules import STATUSES
from app.assets.services import moves
from app.db import db, transaction
from tests import factories
from tests.person import rows

ADD = "/assets/add"
HTMX = {"HX-Request": "true", "HX-Target": "dialog"}


def facts(page):
    return dict(zip(page.all(".facts dt"), page.all(".facts dd"), strict=True))


def count(app):
    with app.app_context():
        return register.totals().assets


def test_a_supplier_and_a_location_that_may_be_others_are_confirmed_first(steward, asset):
    number = asset("Lathe", location="Workshop", supplier="Glass & Co")
    for path in (ADD, f"/assets/{number}/edit"):
        typed = {"item": "Desk", "supplier": "Glass", "location": "Workshp"}
        page = steward.submit(steward.open(path), **typed)
        assert page.question[1:-1] == ["Glass & Co"], path
        page = steward.submit(page, new="Glass")
        assert page.question[1:-1] == ["Workshop"], path
    # A respelt name is no question.
    saved = steward.submit(steward.open(path), location="WORKSHOP")
    assert facts(saved)["Location"] == "WORKSHOP"


def test_an_asset_is_added_and_its_page_opens(steward):
    page = steward.submit(
        steward.open(ADD),
        item=" Office  desk ",
        asset_id="AT-7",
        make="Ikea",
        model="Bekant",
        serial="S1",
        supplier="Glass & Co",
        location="Main Store",
        purchase_date="2024-03-09",
        purchase_price="£1,234.50",
        category="Furniture",
        status="In use",
        quantity="4",
    )
    assert page.errors == []
    assert page.all(".notice.ok") == ["Added Office desk."]
    assert list(facts(page).values()) == [
        *("AT-7", "Main Store", "Furniture", "In use", "Ikea", "Bekant", "S1", "Glass & Co"),
        *("9 Mar 2024", "£1,234.50", "4", "£4,938.00"),
    ]


def test_only_the_item_is_needed_and_the_id_is_the_first_number(steward):
    page = steward.open(ADD)
    assert (page.fields()["quantity"], page.fields()["purchase_price"]) == ("1", "0.00")
    assert page.form()["data-failure"] == "Failed to add asset"
    assert "own tag" in page.all("#asset_id-note")[0]
    values = facts(steward.submit(page, item="Desk"))
    assert values.pop("ID") == "AST-0001"
    assert (values.pop("Purchase price"), values.pop("Total value")) == ("£0.00", "£0.00")
    assert values.pop("Quantity") == "1"
    assert set(values.values()) == {"–"}


WRONG_VALUES = [
    ({"item": " "}, "Item name is required"),
    ({"item": "x" * 121}, "Item must be at most 120 characters"),
    ({"asset_id": "x" * 65}, "ID must be at most 64 characters"),
    ({"serial": "A\u200b1"}, "Serial holds a character that can't be seen (U+200B)"),
    ({"quantity": ""}, "Quantity must be at least 1"),
    ({"quantity": "0"}, "Quantity must be at least 1"),
    ({"quantity": "1000000000"}, "Quantity must be at most 999,999,999"),
    ({"purchase_price": "-1"}, "Purchase price must be 0 or more"),
    ({"purchase_date": "tomorrow"}, "Date can't be in the future."),
]


def test_a_wrong_value_is_named_at_its_field_and_nothing_is_added(app, steward):
    for typed, message in WRONG_VALUES:
        (field,) = typed
        if typed[field] == "tomorrow":
            typed = {field: (dates.today() + timedelta(days=1)).isoformat()}
        page = steward.submit(steward.open(ADD), **{"item": "Desk", **typed})
        assert page.status == 422, typed
        assert page.all(f"#{field}-error")[0].startswith(message), typed
        assert page.all(".notice.bad li")[0].startswith(message), typed
        assert page.html.select_one(f"#{field}")["value"] == typed[field], typed
        assert count(app) == 0, typed


def test_an_id_that_is_taken_is_refused_at_its_field(app, steward, asset):
    asset("Desk", id="AT-7")
    page = steward.submit(steward.open(ADD), item="Chair", asset_id=" at-7 ")
    assert page.status == 409
    message = 'Asset "AT-7" already exists: Desk.'
    assert page.all("#asset_id-error") == [message]
    assert page.html.select_one("#item")["value"] == "Chair"
    assert facts(steward.submit(page, asset_id="AT-8"))["ID"] == "AT-8"
    assert count(app) == 2


@pytest.mark.parametrize(
    ("ids", "proposed"),
    [
        ([], "AST-0001"),
        (["AS-1001", "AS-1174", "AS-1002"], "AS-1175"),
        (["AS 0099", "AS 0100", "B-7"], "AS 0101"),
        (["AST-0998", "AST-0999", "AST-1000", "AST-099X", "AST-01000"], "AST-1001"),
        (["T8", "T9"], "T10"),
        (["T9", "T8", "T10", "T11"], "T12"),
        (["b2f0c9de-2a4f-4c55-9f43-0f8e2d1f7a10", "Spare"], "AST-0001"),
        (["7", "12"], "13"),
    ],
)
def test_the_number_after_the_highest_of_the_same_form_is_proposed(steward, asset, ids, proposed):
    for n, asset_id in enumerate(ids):
        asset(f"Desk {n}", id=asset_id)
    assert steward.open(ADD).fields()["asset_id"] == proposed


def test_the_number_of_a_removed_asset_is_not_used_again(app, steward, asset):
    number = asset("Desk", id="AS-7", location="Main")
    with app.app_context(), transaction():
        moves.move_assets([number], "Attic", by=None)
        db.session.execute(delete(Asset))
    asset("Chair", id="AS-6")
    page = steward.open(ADD)
    assert page.fields()["asset_id"] == "AS-8"
    # An ID that is deleted from the form is the next number as well.
    assert facts(steward.submit(page, item="Lamp", asset_id=" "))["ID"] == "AS-8"


def test_of_two_people_with_the_same_number_the_second_gets_the_next_one(app, steward):
    first, second = steward.open(ADD), steward.open(ADD)
    steward.submit(first, item="Desk")
    page = steward.submit(second, item="Chair")
    message = "Somebody else has just used AST-0001. AST-0002 is free: save again to use it."
    assert (page.status, page.all("#asset_id-error")) == (409, [message])
    assert facts(steward.submit(page))["ID"] == "AST-0002"
    assert count(app) == 2


def test_the_fields_offer_existing_values(in_app, steward, asset):
    asset(supplier="Own Supplier", location="Attic", category="Tools", status="Sold")
    in_app(factories.supplier, "From the directory")
    page = steward.open(ADD)
    offers = {
        field: [option["value"] for option in page.html.select(f"#{field}-offers option")]
        for field in ("supplier", "location", "category", "status")
    }
    assert offers == {
        "supplier": ["From the directory", "Own Supplier"],
        "location": ["Attic"],
        "category": ["Tools"],
        "status": [*STATUSES, "Sold"],
    }


def test_htmx_gets_the_dialog_and_is_led_to_the_asset(steward):
    dialog = steward.fragment(ADD, "dialog")
    assert dialog.html.select("html") == []
    assert dialog.all("#dialog-title") == ["Add Asset"]
    refused = steward.submit(dialog, "form", headers=HTMX, item="")
    assert (refused.html.select("html"), refused.errors[0]) == ([], "Item name is required")
    done = steward.submit(dialog, "form", headers=HTMX, item="Desk")
    assert steward.open(done.headers["HX-Redirect"]).all(".notice.ok") == ["Added Desk."]


def test_an_edit_changes_all_but_the_id_and_a_new_location_is_a_move(steward, asset):
    number = asset("Desk", id="AT-7", location="Main", purchase_price=500, quantity=2)
    opened = steward.open(f"/assets/{number}/edit")
    assert opened.html.select_one("#asset_id").has_attr("readonly")
    assert opened.fields()["purchase_price"] == "5.00"
    page = steward.submit(opened, asset_id="OTHER", item="Big desk", location="Attic", quantity="3")
    assert page.all(".notice.ok") == ["Saved Big desk."]
    values = facts(page)
    assert (values["ID"], values["Location"], values["Total value"]) == ("AT-7", "Attic", "£15.00")
    assert [row[1:] for row in rows(page)] == [["Main", "Attic", "steward", "Undo"]]


def test_a_concurrent_edit_is_reported_before_it_is_overwritten(steward, asset):
    path = f"/assets/{asset('Desk', quantity=2)}/edit"
    mine, theirs = steward.open(path), steward.open(path)
    steward.submit(theirs, status="Missing", quantity="3", purchase_price="2")
    clash = steward.submit(mine, status="In use", purchase_price="2.00")
    assert clash.status == 409
    message = "Somebody else has changed this asset meanwhile. Check and save again."
    assert (clash.errors, clash.form()["data-failure"]) == ([message], "Update failed")
    assert clash.all(".notice.warn") == [
        "It is now: Status Missing, Quantity 3. Saving replaces it with the values below."
    ]
    assert clash.html.select_one("#status")["value"] == "In use"
    assert facts(steward.submit(clash))["Status"] == "In use"
