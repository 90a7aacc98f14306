"""Orders and transfers of a reorder list are made together, and never on old amounts."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.deliveries.models import Delivery
from app.divisions import Site
from app.errors import Conflict, Invalid
from app.reorder.queries import reorder_list
from app.reorder.services import OrderLine, create
from app.stock.models import Item
from app.stock.rules.levels import LevelState
from app.stock.services.levels import set_level, snooze
from tests import factories
from tests.factories import GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

TODAY = dates.today()


@pytest.fixture
def by(context):
    return factories.user()


@pytest.fixture
def heart(by):
    """Return an item with 3 at main, a minimum of 12 available, and 5 at Guildford."""
    heart = factories.item("Red heart", 3)
    factories.items([("Red heart", 5)], store=GUILDFORD)
    level = LevelState(12, 20, pack=4, supplier="Acme")
    with transaction():
        set_level(MAIN, heart, level, revision=0, by=by)
    return heart


def lines():
    """Return the lines that the list proposes, as its page sends them."""
    return [
        OrderLine(
            each.position.name,
            each.quantity,
            each.position.amount,
            each.position.on_order,
            each.from_site,
            each.available,
            each.supplier,
        )
        for each in reorder_list(MAIN, TODAY).proposals
    ]


def make(some, by):
    with transaction():
        return create(MAIN, some, by=by)


def amounts():
    rows = db.session.execute(select(Item.amount).order_by(Item.id))
    return [amount for (amount,) in rows]


@pytest.mark.parametrize(("own", "days"), [(None, 21), (3, 3)])
def test_an_order_is_expected_after_the_lead_days_of_the_item_else_of_its_supplier(
    by, heart, own, days
):
    factories.supplier("ACME", lead_days=21)
    with transaction():
        set_level(MAIN, heart, LevelState(12, supplier="Acme", lead_days=own), revision=1, by=by)
    make(lines(), by)
    (delivery,) = db.session.scalars(select(Delivery))
    assert delivery.expected_on == TODAY + timedelta(days=days)


def test_other_sites_give_and_the_rest_is_ordered_once(by, heart):
    made = make(lines(), by)
    assert made.message == "Created 1 delivery and 1 transfer."
    assert amounts() == [8, 0]
    (delivery,) = db.session.scalars(select(Delivery))
    assert (delivery.item, delivery.amount, delivery.supplier) == ("Red heart", 12, "Acme")
    assert (delivery.division, delivery.office) == ("gfm", Site.MAIN)
    found = reorder_list(MAIN, TODAY)
    assert found.proposals == []
    assert [each.amount for each in found.on_its_way] == [12]


def test_a_late_delivery_is_chased_and_not_ordered_again(by, heart):
    make(lines(), by)
    found = reorder_list(MAIN, TODAY.replace(year=TODAY.year + 1))
    assert ([each.item for each in found.late], found.proposals) == (["Red heart"], [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda heart: factories.move(heart, -1), "Red heart went from 3 to 2"),
        (
            lambda heart: factories.move(heart + 1, -2, store=GUILDFORD),
            "Red heart at Guildford went from 5 to 3",
        ),
    ],
)
def test_nothing_is_made_if_an_amount_has_moved(by, heart, change, message):
    old = lines()
    change(heart)
    before = amounts()
    with pytest.raises(Conflict, match=f"Since you opened this page {message}. Look again."):
        make(old, by)
    assert amounts() == before
    assert db.session.scalars(select(Delivery)).all() == []


def test_the_second_of_two_people_orders_nothing(by, heart):
    old = [each for each in lines() if not each.from_site]
    make(old, by)
    with pytest.raises(Conflict, match="what is on order of Red heart went from 0 to 12"):
        make(old, by)


def test_a_quantity_of_0_leaves_a_line_out_and_nothing_is_an_error(by, heart):
    none = [OrderLine(each.item, 0, each.amount, each.on_order) for each in lines()]
    with pytest.raises(Invalid, match="Enter the quantity of an item"):
        make(none, by)


def test_a_snoozed_item_leaves_the_list_until_its_day(by, heart):
    day = TODAY.fromordinal(TODAY.toordinal() + 9)
    with transaction():
        snooze(MAIN, heart, snoozed_until=day, snooze_reason="Out of season", by=by)
    assert reorder_list(MAIN, TODAY).proposals == []
    assert [at.name for at, _ in reorder_list(MAIN, TODAY).snoozed] == ["Red heart"]
    assert reorder_list(MAIN, day).proposals != []
