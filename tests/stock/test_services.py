"""Operations on a real database: amounts and ledger move together."""

from datetime import date

import pytest
from sqlalchemy import select

from app import dates, sums
from app.db import db, transaction
from app.divisions import Division, Site, Store
from app.errors import Conflict, NotFound
from app.sorting import SortOrder
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries import books, levels, overview
from app.stock.rules.filters import STOCK_ORDERS, StockFilters
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Decrease, Increase
from app.stock.services import items as services
from app.stock.services import movements
from tests import factories
from tests.factories import GUILDFORD, MAIN, do

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]

DAY = date(2026, 7, 1)


@pytest.fixture
def by():
    return factories.user()


def ledger(name):
    db.session.rollback()
    rows = db.session.execute(
        select(LedgerEntry, StockOperation)
        .join(StockOperation)
        .where(LedgerEntry.item_name == name)
        .order_by(LedgerEntry.id)
    ).all()
    return [(e.kind, e.delta, e.team, e.reason, e.effective_at, o.user_id) for e, o in rows]


def test_a_withdrawal_is_in_the_ledger_with_team_day_and_who(by):
    item = factories.item("Red heart", 10)
    lines = [StockLine(item, 3)]
    change = do(movements.withdraw, MAIN, lines, team="Kitchen", on=DAY, by=by)
    assert change.items == [(item, "Red heart", 10, 7, "pcs")]
    noon = dates.noon_in_london(DAY)
    assert ledger("Red heart")[1:] == [(EntryKind.WITHDRAWAL, -3, "Kitchen", "", noon, by)]
    assert list(books.ledger_problems()) == []


def test_a_set_of_operations_applies_whole_or_not_at_all(by):
    first, second = factories.items([("A", 5), ("B", 5)])
    with pytest.raises(Conflict):
        factories.record(MAIN, Decrease(first, 5), Decrease(second, 6), by=by)
    assert (factories.amount("A"), factories.amount("B")) == (5, 5)
    assert len(ledger("A")) == len(ledger("B")) == 1


def test_the_same_item_twice_in_a_set_counts_twice(by):
    item = factories.item("A", 5)
    factories.record(MAIN, Decrease(item, 2), Increase(item, 1), Decrease(item, 4), by=by)
    assert factories.amount("A") == 0
    assert [delta for _, delta, *_ in ledger("A")] == [5, -2, 1, -4]


def test_an_item_of_another_site_is_not_touched(by):
    item = factories.item("Red heart", 10, store=GUILDFORD)
    with pytest.raises(NotFound):
        do(movements.withdraw, MAIN, [StockLine(item, 1)], team="Kitchen", on=DAY, by=by)
    with pytest.raises(Conflict, match="no longer in stock"):
        factories.record(MAIN, Decrease(item, 1), by=by)
    assert factories.amount("Red heart", GUILDFORD) == 10


def test_a_division_without_a_site_keeps_no_stock_there(by):
    with pytest.raises(NotFound, match="GPM keeps no stock at guildford"):
        levels.site_ids([Store(Division.GPM, Site.GUILDFORD)])


def test_a_removed_name_can_be_added_again_with_its_own_ledger(by):
    item = factories.item("Red heart", 10)
    do(services.remove_item, MAIN, item, based_on=10, by=by)
    assert levels.find_item(MAIN, "Red heart") is None
    new = ItemState(None, "RED  HEART", 4)
    change = do(services.add_item, MAIN, new, based_on=None, by=by)
    assert change.item_id != item
    assert factories.amount("red heart") == 4
    assert list(books.ledger_problems()) == []


def test_an_addition_updates_the_item_that_has_its_name(by):
    item = factories.item("Red heart", 10, category="Heart", unit="box")
    new = ItemState(None, " red  HEART", 4, "Gift", 99)
    change = do(services.add_item, MAIN, new, based_on=10, by=by)
    assert (change.item_id, change.before, change.after, change.existed) == (item, 10, 4, True)
    state = levels.items_by_key(MAIN)["red heart"]
    assert state == ItemState(item, "Red heart", 4, "Gift", 99, "box")
    kind, delta, _, reason, *_ = ledger("Red heart")[-1]
    assert (kind, delta) == (EntryKind.CORRECTION, -6)
    assert reason == "Category Heart → Gift, Unit price £2.50 → £0.99"


def test_a_withdrawal_in_between_does_not_disturb_an_edit(by):
    item = factories.item("Red heart", 10)
    factories.move(item, -1)
    do(services.edit_item, MAIN, item, name="Blue heart", revision=0, by=by)
    assert factories.amount("Blue heart") == 9


def test_an_item_can_take_another_spelling_of_its_own_name(by):
    item = factories.item("Red heart", 10)
    do(services.edit_item, MAIN, item, name="RED HEART", revision=0, by=by)
    assert factories.read_item(MAIN, "red heart").name == "RED HEART"


def test_every_change_increments_the_lists_version(by):
    versions = [levels.site_state(MAIN).version]
    item = factories.item("Red heart", 10)
    for change in (
        lambda: None,
        lambda: do(movements.withdraw, MAIN, [StockLine(item, 1)], team="K", on=DAY, by=by),
        lambda: do(services.edit_item, MAIN, item, unit="box", revision=0, by=by),
        lambda: do(services.remove_item, MAIN, item, based_on=9, by=by),
    ):
        change()
        db.session.rollback()
        versions.append(levels.site_state(MAIN).version)
    assert versions == sorted(set(versions))


def test_teams_are_offered_by_how_busy_they_are_and_per_division(by):
    item = factories.item("Red heart", 10)
    for team in ("Garden", "Kitchen", "Kitchen"):
        factories.move(item, 1, team=team)
    assert overview.suggest_teams(Division.GFM) == ["Kitchen", "Garden"]
    assert overview.suggest_teams(Division.GPM) == []


def test_pages_of_the_list_have_no_gaps_or_repeats():
    names = [f"Item {n:04d}" for n in range(250)]
    factories.items([(name, 1) for name in names])
    assert [row[0] for row in rows_of_pages(StockFilters(), total=250)] == names


def test_pages_in_every_order_have_no_gaps_or_repeats(monkeypatch):
    for n in range(30):
        values = {"category": "Odd" if n % 2 else "", "unit_price": n % 3}
        factories.items([(f"Item {n:02d}", n % 5)], **values)
    for limit in (1000, 3):
        for module in (levels, sums):
            monkeypatch.setattr(module, "COUNT_LIMIT", limit)
        for order, _ in STOCK_ORDERS.orders(0):
            place = ["item", "amount", "category", "price"].index(order.by)
            for search, category in FILTERS:
                found = rows_of_pages(StockFilters(search, category, order), limit=8)
                is_reversed = order.descending
                expected = sorted(
                    found, key=lambda r, place=place: (r[place], r[0]), reverse=is_reversed
                )
                assert found == expected, (order, limit, search, category)
                assert len(set(found)) == (15 if category else 30), (order, limit, search)


FILTERS = [("", ""), ("item", ""), ("it", ""), ("", "Odd"), ("item", "Odd")]


def rows_of_pages(filters, *, total=None, **limit):
    """Return the rows of all pages."""
    found, after = [], ""
    while after is not None:
        page = levels.load_rows(MAIN, filters, after, **limit)
        assert total in (None, page.total)
        found += [(row.name, row.amount, row.category, row.unit_price) for row in page.rows]
        after = page.next_key
    return found


NO_PLACES = [
    *("nonsense", "null", "[1]", "[1, 2]", '["a", "b"]', "{}", "[[], {}]"),
    *('[1, "a\\u0000"]', '[99999999999999999999, "a"]', '[1.5, "a"]'),
]


def test_a_place_that_no_row_can_have_is_the_start():
    factories.items([("Tea", 1), ("Mug", 2)])
    filters = StockFilters(order=SortOrder("amount", descending=True))
    for after in NO_PLACES:
        page = levels.load_rows(MAIN, filters, after)
        assert [row.name for row in page.rows] == ["Mug", "Tea"], after


FOUND_BY_SEARCH = [
    ("HEART red", ["Red heart 100%"]),
    ("100%", ["Red heart 100%"]),
    ("_", ["snake_case"]),
    ("\\", ["back\\slash"]),
    ("straße", ["STRASSE"]),
    ("  ", ["back\\slash", "Red heart 100%", "snake_case", "STRASSE"]),
    ("nothing", []),
]


def test_search_finds_all_words_literally_whatever_their_case():
    factories.items([(n, 1) for n in ("Red heart 100%", "snake_case", "back\\slash", "STRASSE")])
    for search, found in FOUND_BY_SEARCH:
        page = levels.load_rows(MAIN, StockFilters(search=search))
        assert [row.name for row in page.rows] == found, search


@pytest.mark.writes_directly
def test_the_ledger_check_names_every_problem():
    factories.item("Red heart", 10)
    with transaction():
        db.session.execute(Item.__table__.update().values(amount=11))
    assert list(books.ledger_problems()) == [
        'GFM main: "Red heart" has 11, its ledger says 10',
        "GFM main: units is 10, its items have 11",
        "GFM main: value_low is 2500, its items have 2750",
    ]
