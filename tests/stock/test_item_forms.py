"""Adding, editing and removing items, as a person without scripts does it."""

import pytest

ADD = "/inventory/main/add"


def test_an_item_is_added(keeper):
    dialog = keeper.open(ADD)
    assert dialog.all("footer button:not([hidden])") == ["Save"]
    # The script of the form says here what adding comes to.
    assert dialog.all("[data-addition] [data-total]") == [""]
    assert dialog.html.select_one("[data-badge]")["data-ready"] == "Ready to add"
    typed = {"name": " Red heart ", "amount": "1,200", "unit_price": "£2.5", "category": "Heart"}
    page = keeper.submit(dialog, **typed)
    assert page.all(".notice.ok p") == ['Added "Red heart": 1,200.']
    assert page.rows() == [["Red heart", "1,200", "Heart", "£2.50"]]


def test_adding_an_existing_name_updates_it_after_confirmation(keeper, stock):
    stock("Red heart", 10, category="Heart")
    dialog = keeper.submit(
        keeper.open(ADD), name="RED  heart", amount="4", unit_price="1", category="Gift"
    )
    assert dialog.status == 409
    assert dialog.all(".badge.warn") == ["Name already exists", "Changes 10 to 4"]
    message = "amount 10 → 4 , category Heart → Gift , price £2.50 → £1.00 ."
    assert message in dialog.text
    assert dialog.all("footer button") == ["Update", "Deliver 4 instead: 14"]
    page = keeper.submit(dialog)
    assert page.all(".notice.ok p") == ['Updated "Red heart": 10 → 4.']
    assert page.rows() == [["Red heart", "4", "Gift", "£1.00"]]


@pytest.mark.differs_by_engine
def test_an_addition_whose_name_exists_is_delivered_instead_once(keeper, stock):
    item = stock("Red heart", 96, category="Heart")
    dialog = keeper.submit(keeper.open(ADD), name="RED  heart", amount="5", unit_price="1")
    for _ in range(2):
        page = keeper.submit(dialog, deliver="1", team="Shop")
        assert page.all(".notice.ok p") == ["Red heart: delivered 5, 101 now."]
        assert page.rows() == [["Red heart", "101", "Heart", "£2.50"]]
    history = keeper.open(f"/inventory/main/items/{item}/history")
    assert history.all("#rows tr:first-child td:nth-of-type(4)") == ["Shop"]
    assert history.text.count("Delivery") == 1


def test_a_delivery_instead_of_an_addition_needs_an_amount_and_the_item(keeper, stock):
    stock("Red heart", 96)
    dialog = keeper.submit(keeper.open(ADD), name="Red heart", amount="5")
    assert keeper.submit(dialog, deliver="1", amount="0").errors[0] == "Enter name and amount"
    assert keeper.submit(dialog, deliver="1").all("#team-error") == ["Team is required"]
    missing = keeper.submit(dialog, deliver="1", name="Blue heart", team="Shop")
    message = "This item is no longer in stock. Load the list again."
    assert (missing.status, missing.errors) == (404, [message])
    too_many = keeper.submit(dialog, deliver="1", amount="999,999,999", team="Shop")
    assert too_many.status == 409
    message = '"Red heart" would have 1,000,000,095. An item has 0 to 999,999,999.'
    assert too_many.all("#amount-error") == [message]


def test_fields_left_empty_in_an_update_stay_unchanged(keeper, stock):
    stock("Red heart", 10, category="Heart")
    dialog = keeper.submit(keeper.open(ADD), name="Red heart", amount="4")
    assert "category Heart → Heart , price £2.50 → £2.50 ." in dialog.text
    assert keeper.submit(dialog).rows() == [["Red heart", "4", "Heart", "£2.50"]]


def test_an_update_needs_confirmation_again_when_the_amount_has_changed(keeper, stock, move):
    item = stock("Red heart", 10)
    dialog = keeper.submit(keeper.open(ADD), name="Red heart", amount="4")
    move(item, -1)
    again = keeper.submit(dialog)
    assert again.status == 409
    assert "amount 9 →" in again.text
    assert keeper.submit(again).all(".notice.ok p") == ['Updated "Red heart": 9 → 4.']


def test_the_namesake_check_carries_the_amount_that_saving_is_based_on(keeper, stock):
    stock("Red heart", 10)
    found = keeper.fragment("/inventory/main/add/namesake?name=red%20HEART%20", "namesake")
    assert found.all(".badge") == ["Name already exists"]
    assert found.html.select_one("[name=based_on]")["value"] == "10"
    missing = keeper.fragment("/inventory/main/add/namesake?name=blue", "namesake")
    assert missing.all(".badge") == []
    assert missing.html.select_one("[name=based_on]")["value"] == ""


REFUSED_ADDITIONS = [
    ({"name": " "}, "Item name is required"),
    ({"name": "x" * 201}, "Item name must be at most 200 characters"),
    # Each of its characters is 18 in the item's key.
    ({"name": "\ufdfa" * 60}, "Item name must be at most 200 characters"),
    ({"name": "a\u200bb"}, "Item name holds a character that can't be seen (U+200B)"),
    ({"amount": ""}, "Enter name and amount"),
    ({"amount": "0"}, "Enter name and amount"),
    ({"amount": "-1"}, "Amount must be at least 0"),
    ({"unit_price": "-1"}, "Price must be 0 or more"),
    ({"category": "x" * 101}, "Category must be at most 100 characters"),
]


def test_a_refused_addition_gives_the_reason(keeper):
    for typed, message in REFUSED_ADDITIONS:
        page = keeper.submit(keeper.open(ADD), **({"name": "Red heart", "amount": "1"} | typed))
        assert page.status == 422, typed
        assert any(message in error for error in page.errors), typed
        assert keeper.open("/inventory/main").rows() == [], typed


def test_an_item_is_edited_and_its_unit_appears(keeper, stock):
    stock("Red heart", 10)
    item_page = keeper.open(keeper.open("/inventory/main").link("Red heart"))
    form = keeper.open(item_page.link("Edit"))
    assert form.fields()["unit_price"] == "2.50"
    page = keeper.submit(form, name="Blue heart", category="Gift", unit_price="3", unit="box")
    assert page.all(".notice.ok p") == ['Saved "Blue heart".']
    assert page.rows() == [["Blue heart", "10 box", "Gift", "£3.00"]]


def test_an_edit_of_an_item_edited_meanwhile_needs_confirmation(keeper, stock):
    item = stock("Red heart", 10)
    path = f"/inventory/main/items/{item}/edit"
    mine, theirs = keeper.open(path), keeper.open(path)
    keeper.submit(theirs, category="Theirs")
    page = keeper.submit(mine, category="Mine")
    assert page.status == 409
    assert "Somebody else has changed this item meanwhile" in page.errors[0]
    assert page.fields()["category"] == "Mine"
    assert keeper.submit(page).rows() == [["Red heart", "10", "Mine", "£2.50"]]


def test_a_taken_name_is_refused_at_its_field(app, keeper, stock):
    item = stock("Red heart", 10)
    stock("Blue heart", 10)
    form = keeper.open(f"/inventory/main/items/{item}/edit")
    page = keeper.submit(form, name="BLUE HEART")
    assert page.status == 409
    assert page.all("#name-error") == ['Name already exists: "Blue heart"']


def test_an_item_is_removed_after_confirmation(keeper, stock):
    stock("Red heart", 10)
    question = keeper.open(keeper.open("/inventory/main").link("Remove Red heart"))
    assert "Remove this item?" in question.all("h1")
    assert "10 in stock will be written off." in question.text
    page = keeper.submit(question)
    assert page.all(".notice.ok p") == ['Removed "Red heart".']
    assert page.rows() == []


def test_a_removal_needs_confirmation_again_when_the_amount_has_changed(keeper, stock, move):
    item = stock("Red heart", 10)
    question = keeper.open(f"/inventory/main/items/{item}/remove")
    move(item, -1)
    again = keeper.submit(question)
    assert again.status == 409
    assert again.errors == ['"Red heart" has 9 now, not 10. Remove it all the same?']
    assert keeper.submit(again).rows() == []


def test_a_missing_item_and_an_unknown_site_are_a_404(keeper):
    for end in ("action", "edit", "remove"):
        for item in ("9999", "2147483647"):
            assert keeper.open(f"/inventory/main/items/{item}/{end}").status == 404
    assert keeper.open("/inventory/nowhere/add").status == 404


def test_a_null_character_is_refused_clearly(keeper):
    for name in ("q", "category", "after"):
        page = keeper.open(f"/inventory/main?{name}=%00")
        assert (page.status, "U+0000" in page.alerts[0]) == (400, True), name


def test_an_invalid_edit_keeps_its_revision(keeper, stock):
    item = stock("Red heart", 10)
    path = f"/inventory/main/items/{item}/edit"
    mine, theirs = keeper.open(path), keeper.open(path)
    keeper.submit(theirs, unit_price="9.99")
    slip = keeper.submit(mine, name="")
    assert slip.status == 422
    clash = keeper.submit(slip, name="Red heart")
    assert clash.status == 409
    message = (
        "It is now: Red heart, category –, £9.99, pcs. Saving replaces it with the values below."
    )
    assert clash.all(".notice.warn") == [message]
    assert keeper.submit(clash, unit_price="9.99").rows() == [["Red heart", "10", "", "£9.99"]]


def test_a_change_without_a_key_is_refused_and_given_one(keeper, amount, stock):
    stock("Red heart", 10)
    sent = keeper.open(ADD).fields() | {"name": "Blue heart", "amount": "1"}
    del sent["key"]
    refused = keeper.post(ADD, sent)
    assert refused.status == 422
    assert refused.errors == ["This form is incomplete. Check it and send it again."]
    assert "Added" in keeper.submit(refused).text


def test_htmx_gets_the_new_total_and_the_categories_after_a_change(keeper, stock):
    stock("Red heart", 10)
    stock("Blue heart", 10)
    item = stock("Box", 1, category="Box")
    question = keeper.open(f"/inventory/main/items/{item}/remove")
    headers = {
        "HX-Request": "true",
        "HX-Target": "dialog",
        "Referer": "http://localhost/inventory/main?q=heart",
    }
    reply = keeper.submit(question, headers=headers)
    assert reply.html.find(id=f"i{item}")["data-hx-swap-oob"] == "delete"
    assert reply.all("[data-hx-swap-oob='innerHTML:#total']") in (["2 items"], ["2 matches"])
    assert reply.all("select option") == ["All Categories"]
    added = keeper.submit(keeper.open(ADD), name="New", amount="1", headers=headers)
    assert added.headers["HX-Trigger"] == "stock-changed"
    assert added.html.select("tr") == []


def test_forms_opened_after_signing_in_do_not_lead_back_to_the_sign_in(keeper):
    login = {"Referer": "http://localhost/login?next=/inventory/main/add"}
    page = keeper.open(ADD, headers=login)
    assert page.link("Close") == "/inventory/main"
