"""Days of upkeep are London days, also in the hour of a summer night that UTC counts before."""

from datetime import UTC, date, datetime

from app.dates import london_day
from app.defects.rules.defects import Settled, is_before
from app.defects.rules.off_road import days_off, days_over, describe_days
from app.due.rules.due import DueState, Terms, judge
from app.due.rules.fields import DueKind

SUMMER_NIGHT = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
WINTER_NIGHT = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
FIRST_OF_JULY = date(2026, 7, 1)


def test_an_item_is_due_on_its_london_day():
    terms = Terms(DueKind.MOT, "MOT", FIRST_OF_JULY)

    def state(at):
        return judge(terms, london_day(at), mileage=None, forecast=None).state

    assert state(SUMMER_NIGHT.replace(hour=22)) is DueState.SOON
    assert state(SUMMER_NIGHT) is DueState.TODAY
    assert state(datetime(2026, 7, 1, 22, 59, tzinfo=UTC)) is DueState.TODAY
    assert state(datetime(2026, 7, 1, 23, 0, tzinfo=UTC)) is DueState.OVERDUE


def test_a_vehicle_is_off_the_road_since_today_on_its_first_london_day():
    assert describe_days(SUMMER_NIGHT, None, FIRST_OF_JULY) == "today"
    assert describe_days(WINTER_NIGHT, None, date(2026, 12, 1)) == "today"
    assert describe_days(SUMMER_NIGHT, None, date(2026, 7, 2)) == "1 day"
    assert describe_days(SUMMER_NIGHT, None, date(2026, 7, 3)) == "2 days"
    assert describe_days(SUMMER_NIGHT, SUMMER_NIGHT, FIRST_OF_JULY) == "1 day"


def test_the_nights_when_clocks_change_are_one_day_long():
    for before, after in (((3, 28), (3, 30)), ((10, 24), (10, 26))):
        since = datetime(2026, *before, 12, tzinfo=UTC)
        assert days_off(since, datetime(2026, *after, 12, tzinfo=UTC), date(2027, 1, 1)) == 2


def test_a_vehicle_is_late_from_the_london_day_after_it_was_expected():
    assert days_over(FIRST_OF_JULY, london_day(SUMMER_NIGHT)) == 0
    assert days_over(date(2026, 6, 30), london_day(SUMMER_NIGHT)) == 1


def test_a_check_of_the_london_day_before_a_repair_was_made_before_it():
    repaired = Settled(london_day(SUMMER_NIGHT), SUMMER_NIGHT)
    assert is_before(date(2026, 6, 30), None, repaired)
    assert not is_before(FIRST_OF_JULY, None, repaired)
    assert is_before(FIRST_OF_JULY, SUMMER_NIGHT.replace(minute=10), repaired)
    assert not is_before(FIRST_OF_JULY, SUMMER_NIGHT.replace(minute=40), repaired)
