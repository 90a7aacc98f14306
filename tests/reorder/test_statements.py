"""A reorder list costs few statements, however many lines it has, and a bounded page."""

import pytest

from app import dates
from app.db import transaction
from app.divisions import Division
from app.reorder.queries import reorder_list
from app.reorder.services import OrderLine, create
from app.stock.rules.levels import LevelState
from app.stock.services.levels import LevelLine, replace_levels
from tests import factories
from tests.factories import GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

TODAY = dates.today()


def fill(number):
    by = factories.user("boss", Division.GFM)
    names = [f"GLASS CLOCHE NUMBER {n:03} WITH A LONG NAME" for n in range(number)]
    factories.items([(name, 5) for name in names])
    factories.items([(name, 9) for name in names[::2]], store=GUILDFORD)
    lines = [
        LevelLine(name, vars(LevelState(20, supplier=f"Supplier {n % 4}")))
        for n, name in enumerate(names)
    ]
    with transaction():
        replace_levels(MAIN, lines, versions=None, by=by)
    return by


def lines_of(found):
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
        for each in found.proposals
    ]


def test_the_list_is_read_with_few_statements_and_its_orders_are_made_with_few(context, statements):
    by = fill(140)
    assert statements(lambda: reorder_list(MAIN, TODAY)) <= 9
    lines = lines_of(reorder_list(MAIN, TODAY))
    assert len(lines) == 210

    def make():
        with transaction():
            create(MAIN, lines, by=by)

    assert statements(make) <= 15 + 8 + 4 * 6
    assert reorder_list(MAIN, TODAY).proposals == []


def test_a_page_of_a_hundred_lines_is_sent_in_at_most_40_kb(in_app, person):
    in_app(fill, 100)
    person.sign_in("boss", follow=False)
    page = person.client.get("/stock/gfm/reorder", headers={"Accept-Encoding": "gzip"})
    assert len(page.data) <= 40_000
