"""The numbers of rows by day are right after every write, and can be checked and rebuilt."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text

from app import dates, day_counts
from app.assets.queries import moves
from app.assets.rules import AssetUpdate
from app.assets.services import moves as asset_moves
from app.assets.services import register
from app.assets.services.moves import PastMove
from app.day_counts import Days
from app.db import db, transaction
from app.deliveries import queries as deliveries
from app.deliveries.rules import DUE_AFTER
from app.diagnostics.queries import COUNTED
from app.divisions import Division
from app.fleet.schemas.lists import CHECK_LIST
from app.fleet.services import checks
from tests import factories
from tests.listing import listed

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]

TODAY = dates.today()


def do(work):
    with transaction():
        return work()


def problems():
    db.session.rollback()
    return [problem for counted in COUNTED for problem in day_counts.problems(counted)]


def test_checks_are_counted_by_day_flags_and_review():
    by = factories.user("driver", Division.FLEET)
    plain, flagged = factories.check(by=by), factories.check(by=by, cost=500, day=TODAY)
    factories.check(by=by, odometer=3)
    assert problems() == []
    for check in (plain, flagged):
        do(lambda check=check: checks.review_check(check, remark="", by=by))
    assert problems() == []
    numbers = [
        listed(CHECK_LIST, **filters).total
        for filters in (
            {},
            {"flags": "flagged"},
            {"review": "reviewed"},
            {"flags": "flagged", "review": "unreviewed"},
            {"from": TODAY.isoformat()},
        )
    ]
    assert numbers == [3, 2, 2, 1, 1]


def test_deliveries_are_counted_by_the_day_of_the_order_and_of_the_delivery():
    factories.delivery(ordered_on=TODAY - timedelta(days=20))
    factories.delivered()
    assert problems() == []
    outlook = deliveries.outlook(Division.GPM, TODAY)
    assert (outlook.pending, outlook.late) == (1, 1)


def test_moves_are_counted_by_london_day_however_they_are_made():
    number = factories.asset("Desk", id="D1", location="Main")
    do(lambda: asset_moves.move_assets([number], "Attic", by=None))
    late = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)
    past = [PastMove("D1", "Hall", at=late), PastMove("D1", "Yard")]
    do(lambda: asset_moves.record_moves(past, by=None))
    do(lambda: register.set_assets([AssetUpdate("D1", {"location": "Shed"})], by=None))
    state = register.queries.state_of(register.queries.get_asset(number))
    moved = type(state)(**{**vars(state), "location": "Loft"})
    revision = register.queries.get_asset(number).revision
    do(lambda: register.edit_asset(number, moved, revision=revision, by=None))
    assert problems() == []
    days = Days([moves.COUNTED.name], date(2026, 7, 1), date(2026, 7, 2))
    assert day_counts.by_day(days) == {date(2026, 7, 2): 1}
    assert moves.move_count() == 5


def test_a_wrong_number_is_found_and_counted_anew():
    factories.delivery(ordered_on=TODAY)
    do(lambda: db.session.execute(text("UPDATE day_count SET number = 7")))
    assert problems() == [
        f"pending deliveries of {TODAY}: 1 rows, counted as 7",
        f"due deliveries of {TODAY + DUE_AFTER}: 1 rows, counted as 7",
    ]
    do(lambda: [day_counts.rebuild(counted) for counted in COUNTED])
    assert problems() == []


def test_a_change_that_is_rolled_back_leaves_no_number():
    with transaction(commit=False):
        factories.deliveries.schedule(Division.GPM, factories.order(), by=None)
    assert (problems(), deliveries.outlook(Division.GPM, TODAY).pending) == ([], 0)


def test_a_row_of_a_long_list_is_found_by_its_day():
    day = date(2026, 1, 1)
    numbers = {("things", day): 3, ("others", day): 1, ("things", day + timedelta(days=1)): 2}
    do(lambda: day_counts.change_counts(numbers))
    both = Days(["things", "others"])
    found = [day_counts.position(offset, both) for offset in (0, 1, 2, 5, 6)]
    second = day + timedelta(days=1)
    assert found == [
        (second, 0),
        (second, 1),
        (day, 0),
        (day, 3),
        None,
    ]
    assert day_counts.position(4, both, newest_first=False) == (second, 0)
    assert day_counts.totals(both, Days(["things"], second)) == [6, 2]


def test_the_terminal_names_wrong_numbers_until_they_are_counted_anew(app):
    factories.vehicle()
    factories.check(by=factories.user())
    do(lambda: db.session.execute(text("UPDATE day_count SET number = number + 1")))
    runner = app.test_cli_runner()
    wrong = runner.invoke(args=["counts", "verify"])
    assert wrong.exit_code == 1
    assert "run flask counts rebuild" in wrong.output
    assert "counted anew" in runner.invoke(args=["counts", "rebuild"]).output
    right = runner.invoke(args=["counts", "verify"])
    assert (right.exit_code, "counted correctly" in right.output) == (0, True)
