"""The columns of lists that a person hides."""

from urllib.parse import quote

import pytest

from app.divisions import Division, Role
from app.preferences.forms import column_choices
from app.web.list_query import Heading
from tests import factories
from tests.upkeep import rows

MENU = "form[action='/columns']"
STATUSES = {"pending": "", "delivered": "?status=delivered"}


def ticks(page):
    """Return the columns that a page's menu offers: whether each is ticked."""
    return {
        box["value"]: box.has_attr("checked") for box in page.html.select(f"{MENU} [type=checkbox]")
    }


def hidden(page):
    """Return the headings that the classes of a page's body hide, by their places."""
    heads = page.all("#list thead th")
    return [
        heads[int(name.removeprefix("hide-")) - 1]
        for name in page.html.body.get("class", [])
        if name.startswith("hide-")
    ]


def head(file):
    return file.response.get_data(as_text=True).splitlines()[0].split(",")


def untick(person, page, *columns, **pressed):
    kept = [name for name in ticks(page) if name not in columns]
    form = {**page.fields(MENU), "column": kept, **pressed}
    headers = {"Referer": f"http://localhost{page.path}"}
    return person.post("/columns", form, headers=headers)


@pytest.fixture
def steward(signed_in, in_app):
    """Return a user of Assets, where there is a desk."""
    in_app(factories.asset, "A1", make="Oak & Sons", category="Furniture")
    return signed_in("steward", Division.ASSETS, division=Division.ASSETS)


def test_a_person_hides_columns_of_a_list_on_all_devices_and_keeps_its_filters(
    steward, signed_in, app
):
    page = steward.open("/assets?q=a1&sort=-id")
    assert list(ticks(page))[:3] == ["id", "location", "status"]
    assert (hidden(page), all(ticks(page).values())) == ([], True)
    narrowed = untick(steward, page, "make", "purchasePrice")
    assert narrowed.path == "/assets?q=a1&sort=-id"
    assert hidden(narrowed) == ["Purchase Price", "Make"]
    assert [name for name, is_on in ticks(narrowed).items() if not is_on] == [
        "purchasePrice",
        "make",
    ]
    assert narrowed.html.select_one("link[href*='/columns-']")
    assert narrowed.rows() == page.rows()
    # Another list, and another person, have all.
    assert hidden(steward.open("/assets/history")) == []
    other = signed_in("other", Division.ASSETS, division=Division.ASSETS, roles=(Role.VIEWER,))
    assert hidden(other.open("/assets")) == []
    # Their table has neither ticks nor actions; a viewer may hide columns, too.
    assert hidden(untick(other, other.open("/assets"), "make")) == ["Make"]
    assert hidden(untick(steward, narrowed)) == []


def test_the_page_of_a_list_is_new_after_a_change_of_its_columns_and_a_304_otherwise(steward):
    page = steward.open("/assets")
    tag = page.headers["ETag"]
    again = {"headers": {"If-None-Match": tag}}
    assert steward.open("/assets", **again).status == 304
    tag = untick(steward, page, "make").headers["ETag"]
    assert steward.open("/assets", **again).status == 200
    # What is saved as it is changes nothing.
    assert untick(steward, page, "make").headers["ETag"] == tag


def test_columns_of_an_address_win_and_unknown_ones_are_left_out(steward):
    page = untick(steward, steward.open("/assets"), "make")
    assert hidden(steward.open("/assets?columns=-model,-shoe,-%25,item")) == ["Model"]
    assert hidden(steward.open("/assets?columns=all")) == []
    once = untick(steward, page, "serial", once="1")
    assert (once.path, hidden(once)) == ("/assets?columns=-serial", ["Serial"])
    assert hidden(untick(steward, once, once="1")) == []
    # Kept for the person, it isn't in the address any more.
    kept = untick(steward, once, "model")
    assert (kept.path, hidden(kept)) == ("/assets", ["Model"])


def test_a_file_asks_for_its_columns_where_some_are_hidden(steward):
    whole = steward.open("/assets/export")
    assert whole.headers["Content-Disposition"].startswith("attachment")
    untick(steward, steward.open("/assets"), "make", "serial")
    page = steward.open("/assets/export?q=a1")
    assert (page.status, page.title) == (200, "Export assets · Quartermaster")
    links = [page.link(f"{which} columns") for which in ("These", "All")]
    these, every = (head(steward.open(f"/assets/export{link}")) for link in links)
    assert every == head(whole)
    assert these == [name for name in every if name not in ("make", "serial")]


def test_a_file_of_a_page_asks_for_the_columns_of_its_address(steward):
    untick(steward, steward.open("/assets"), "serial")
    page = {"Referer": "http://localhost/assets?columns=-make"}
    question = steward.open("/assets/export", headers=page)
    these = head(steward.open(f"/assets/export{question.link('These columns')}"))
    assert ("make" in these, "serial" in these) == (False, True)


def test_the_name_of_a_defect_can_not_be_hidden(signed_in, in_app):
    in_app(factories.vehicle, rows.LK19)
    driver = signed_in("driver", Division.FLEET)
    assert {"title", "severity"}.isdisjoint(ticks(driver.open("/fleet/defects")))


def test_a_file_refuses_columns_that_it_can_not_have(steward):
    every = ",".join(f"-{name}" for name in ("id", *ticks(steward.open("/assets")), "item"))
    for columns, text in (
        ("-shoe", 'There is no column "shoe".'),
        ("make", "Name the columns to leave out, each after a -, such as -make."),
        (every, "A file has at least one column. Leave out fewer."),
    ):
        page = steward.open(f"/assets/export?columns={quote(columns)}")
        assert page.status == 422, columns
        assert text in page.text


def test_a_file_of_a_list_has_its_listed_columns_or_all(signed_in, in_app):
    driver = signed_in("driver", Division.FLEET)
    in_app(factories.vehicle, rows.LK19)
    in_app(rows.repair)
    page = untick(driver, driver.open("/fleet/repairs"), "garage")
    assert hidden(page) == ["Garage"]
    question = driver.open(page.link("These repairs as CSV"))
    text = driver.open(f"/fleet/repairs.csv{question.link('These columns')}")
    assert head(text) == ["number", "reg", "finishedOn", "invoiceNumber", "total", "defects"]


def test_what_a_list_has_at_other_times_stays_hidden(signed_in, in_app):
    trader = signed_in("trader", Division.GPM, division=Division.GPM)
    in_app(factories.delivery)
    in_app(factories.delivered)
    listed = {name: f"/gpm/deliveries{query}" for name, query in STATUSES.items()}
    untick(trader, trader.open(listed["pending"]), "expected", "cost")
    # The Delivered column of what was delivered is where the Due column of the others is.
    page = trader.open(listed["delivered"])
    assert (hidden(page), ticks(page)["delivered"]) == (["Unit Cost"], True)
    untick(trader, page)
    assert hidden(trader.open(listed["delivered"])) == []
    assert hidden(trader.open(listed["pending"])) == ["Due"]


def test_a_menu_of_no_list_is_refused(steward):
    data = steward.open("/assets").fields(MENU)
    for wrong in ("", "x", data["list"][:-1], "\0"):
        page = steward.post("/columns", data | {"list": wrong})
        assert page.status in (400, 404), wrong


def test_lists_of_few_columns_have_no_menu():
    heads = [Heading(text, "", None, text) for text in "abcde"]
    assert (column_choices(heads), column_choices(None)) == ((), ())
