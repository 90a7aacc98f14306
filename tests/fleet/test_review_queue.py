"""The queue of checks to review: its order, its place, and what it costs."""

from datetime import timedelta

import pytest

from app.db import transaction
from app.divisions import Division
from app.fleet.queries import review_queue as queries
from app.fleet.services import checks as services
from tests import factories

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]

DAY = factories.DAY


@pytest.fixture(autouse=True)
def driver(context):
    return factories.user("driver", Division.FLEET)


def check(reg, *, days_ago=0, **items):
    return factories.check(reg, day=DAY - timedelta(days=days_ago), items=items)


def review(check_id):
    with transaction():
        services.review_check(check_id, remark="", by=1)


def plates(**options):
    return [row.reg for row in queries.checks_to_review(10, **options)]


def test_damage_comes_first_and_then_the_newest():
    check("AA11 AAA", days_ago=1)
    check("BB22 BBB", days_ago=3, Damage="Wing dented")
    check("CC33 CCC")
    check("DD44 DDD", days_ago=2, Damage="Mirror cracked")
    assert plates() == ["DD44 DDD", "BB22 BBB", "CC33 CCC", "AA11 AAA"]


def test_a_reviewed_check_leaves_the_queue():
    damaged = check("AA11 AAA", Damage="Wing dented")
    check("BB22 BBB")
    assert queries.count_to_review() == 2
    review(damaged)
    assert (plates(), queries.count_to_review()) == (["BB22 BBB"], 1)


def test_the_queue_goes_on_where_somebody_was_in_it():
    first = check("AA11 AAA", Damage="Wing dented")
    second = check("BB22 BBB")
    check("CC33 CCC", days_ago=1)
    assert plates(from_id=second) == ["BB22 BBB", "CC33 CCC"]
    review(second)
    assert plates(from_id=second) == ["CC33 CCC"]
    assert plates(from_id=first) == ["AA11 AAA", "CC33 CCC"]


def test_the_queue_begins_anew_where_a_place_is_of_no_check():
    check("AA11 AAA")
    assert plates(from_id=99) == ["AA11 AAA"]


def test_the_queue_says_where_in_it_somebody_is():
    damaged = check("AA11 AAA", Damage="Wing dented")
    check("AA11 AAA", days_ago=1)
    last = check("CC33 CCC", days_ago=2)
    start, end = queries.review_queue(), queries.review_queue(last)
    assert (start.number, start.previous_id, start.total, start.damaged) == (1, None, 3, 1)
    assert (end.number, end.previous_id, end.rows[0].id) == (3, last - 1, last)
    assert start.earlier == (48_210, DAY - timedelta(days=1))
    assert end.earlier is None
    review(last)
    assert queries.review_queue(last).rows[0].id == damaged
