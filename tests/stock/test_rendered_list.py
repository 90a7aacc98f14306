"""A list that is rendered already is shown again only while it is right, and to whom it belongs."""

import pytest

from app import create_app
from app.db import db
from app.divisions import Division
from tests import factories
from tests.databases import settings_for
from tests.factories import GPM, GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

LIST = "/inventory/main"


@pytest.fixture
def trader(signed_in):
    return signed_in("trader", Division.GFM, Division.GPM, division=Division.GFM)


def test_a_repeated_list_takes_the_session_and_the_version(keeper, stock, statements):
    stock("Red heart", 10)
    for path in (LIST, f"{LIST}?q=heart", f"{LIST}?category=Toys"):
        keeper.open(path)
        assert statements(lambda path=path: keeper.open(path)) == 2


def test_a_change_by_another_process_is_on_the_next_page(
    app, keeper, stock, database_url, tmp_path
):
    item = stock("Red heart", 10)
    fragment = {"path": LIST, "target": "list"}
    assert keeper.open(LIST).rows()[0][1] == "10"
    assert keeper.fragment(**fragment).rows()[0][1] == "10"
    other = create_app(settings_for(database_url, tmp_path))
    with other.app_context():
        factories.move(item, -3)
        db.engine.dispose()
    assert keeper.open(LIST).rows()[0][1] == "7"
    assert keeper.fragment(**fragment).rows()[0][1] == "7"


def test_a_new_category_is_offered_on_the_next_page(keeper, stock):
    stock("Red heart", 10, category="Toys")
    assert keeper.open(LIST).all("#in-category option") == ["All Categories", "Toys"]
    stock("Pan", 1, category="Kitchen")
    assert keeper.open(LIST).all("#in-category option") == ["All Categories", "Kitchen", "Toys"]


def test_divisions_and_sites_with_equal_versions_have_lists_of_their_own(stock, trader):
    for name, store in (("Red heart", MAIN), ("Blue heart", GUILDFORD), ("Green heart", GPM)):
        stock(name, 5, store=store)
    for _ in range(2):
        for path, name in (
            (LIST, "Red heart"),
            ("/inventory/guildford", "Blue heart"),
            ("/gpm/inventory/main", "Green heart"),
        ):
            for query in ("", "?q=heart"):
                assert [row[0] for row in trader.open(path + query).rows()] == [name]


def test_filters_and_their_text_have_lists_of_their_own(keeper, stock):
    stock("Red heart", 5, category="Toys")
    stock("Blue heart", 5, category="Garden")
    assert len(keeper.open(LIST).rows()) == 2
    assert [row[0] for row in keeper.open(f"{LIST}?category=Toys").rows()] == ["Red heart"]
    page = keeper.open(f"{LIST}?q=BLUE")
    assert [row[0] for row in page.rows()] == ["Blue heart"]
    again = keeper.open(f"{LIST}?q=blue")
    assert [field["value"] for field in again.html.select("#q")] == ["blue"]


def test_nothing_personal_is_on_the_page_of_the_next_person(keeper, stock, trader):
    item = stock("Red heart", 10)
    keeper.submit(keeper.open(f"{LIST}/items/{item}/edit"), follow=False)
    page, other = keeper.open(LIST), trader.open(LIST)
    assert page.all(".notice.ok p") == ['Saved "Red heart".']
    assert other.all(".notice") == []
    assert (page.all(".who"), other.all(".who")) == (["keeper"], ["trader"])
    for selector, attribute in (("#kept-count", "data-user"), ("[name=csrf_token]", "value")):
        own = {tag[attribute] for tag in page.html.select(selector)}
        others = {tag[attribute] for tag in other.html.select(selector)}
        assert own, selector
        assert others, selector
        assert not own & others, selector
