"""The stock check's pages: its tools, its sheets, and the flag that hides them."""

import json

import pytest

from app import dates
from tests.factories import GPM


@pytest.mark.differs_by_engine
def test_the_tools_are_offered_until_an_admin_hides_them(flask, keeper, stock):
    stock("Red heart", 10)
    page = keeper.open("/inventory/main")
    assert page.link("Start Stock Check") == "/inventory/main/count"
    tag = page.headers["ETag"]
    done = flask("stock", "count-tools", "hide", "--division", "gfm", "--site", "main")
    assert done == (0, "GFM Main: the stock check is hidden.\n")
    page = keeper.open("/inventory/main", headers={"If-None-Match": tag})
    assert "Start Stock Check" not in page.text
    closed = keeper.open("/inventory/main/count")
    message = "Stock checks are switched off for Main. Ask an administrator."
    assert (closed.status, closed.alerts) == (404, [message])
    assert "Start Stock Check" in keeper.open("/inventory/guildford").text
    flask("stock", "count-tools", "show", "--division", "gfm")
    assert "Start Stock Check" in keeper.open("/inventory/main").text


def test_the_count_sheet_lists_every_item_with_room_for_its_count(keeper, stock):
    stock("Red heart", 1200, category="Heart")
    stock("=Sum", 3, unit="kg")
    page = keeper.open(keeper.open("/inventory/main/count").link("Print a count sheet"))
    assert page.all("tbody th") == ["=Sum", "Red heart"]
    assert page.all("tbody tr")[1] == "Red heart Heart 1,200"


def test_the_csv_sheet_is_read_back_when_it_is_filled_in(call, person, stock):
    person.post("/choose", {"csrf_token": call.token, "division": "gfm"})
    stock("=Sum", 3, unit="kg")
    stock("Red heart", 12, category="Heart")
    sent = call.client.get("/inventory/main/count-sheet.csv", buffered=True)
    name = f'count_sheet_gfm_main_{dates.today()}.csv"'
    assert sent.headers["Content-Disposition"].endswith(name)
    text = sent.get_data(as_text=True)
    assert text.splitlines() == [
        "item,category,unitPrice,unit,expected,counted",
        "'=Sum,,2.50,kg,3,",
        "Red heart,Heart,2.50,pcs,12,",
    ]
    filled = text.replace("kg,3,", "kg,3,4").replace("pcs,12,", "pcs,12,12")
    reply = call.client.post(
        "/api/gfm/inventory/main/count-sheet",
        data=filled.encode(),
        content_type="text/csv",
        headers={"X-CSRFToken": call.token},
    )
    assert reply.json["lines"] == [
        {"id": "=Sum", "expected": 3, "counted": 4},
        {"id": "Red heart", "expected": 12, "counted": 12},
    ]


def test_names_cannot_break_out_of_widget_props(keeper, app, stock):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    keeper.submit(page, team="\"'><script>alert(1)</script>")
    page = keeper.open("/inventory/main/bulk")
    assert page.html.select_one("script:not([src])") is None
    assert page.html.select_one("[data-widget=bulk-update]") is not None


def test_gpm_counts_its_own_stock(call, person, stock):
    stock("Tin", 5, store=GPM)
    person.post("/choose", {"csrf_token": call.token, "division": "gpm"})
    widget = person.open("/gpm/inventory/main/count").html.select_one("[data-props]")
    props = json.loads(str(widget["data-props"]))
    assert (props["division"], props["site"]) == ("gpm", "main")


@pytest.mark.differs_by_engine
def test_a_result_message_needs_a_recent_operation_of_the_same_user(keeper, stock):
    item = stock("Red heart", 10)
    assert keeper.open("/inventory/main?done=1").all(".notice.ok") == []
    page = keeper.open(f"/inventory/main/items/{item}/action")
    keeper.submit(page, team="Kitchen")
    page = keeper.open("/inventory/main?done=2")
    assert (page.path, page.all(".notice.ok p")) == ("/inventory/main", ["Withdrawal: 1 item."])
    assert keeper.open("/inventory/main?done=999").all(".notice.ok") == []
    assert keeper.open("/inventory/main?done=x").all(".notice.ok") == []


def test_a_count_applied_as_a_whole_list_shows_its_message_once_without_undo(keeper):
    page = keeper.open("/inventory/main?done=count")
    assert page.path == "/inventory/main"
    assert page.all(".notice.ok p") == ["Stock check applied."]
    assert "Undo" not in page.html.select_one(".notice.ok").text
    assert keeper.open(page.path).all(".notice.ok") == []
