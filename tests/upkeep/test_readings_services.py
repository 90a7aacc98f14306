"""Odometer readings: recorded, accepted and void, imported and filled in."""

from datetime import date

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select

from app.db import db, transaction
from app.errors import Conflict, Invalid, NotFound
from app.mileage import queries, services
from app.mileage.acts import TARGETS
from app.mileage.models import OdometerReading
from app.mileage.queries import current_mileage, current_mileages
from app.mileage.rules import Doubt, Mileage, ReadingSource
from app.mileage.services import import_readings, rebuild_readings
from app.revisions import MIGRATIONS
from app.tables.csv_files import FileErrors
from app.tables.sheets import Sheet
from tests.migration_steps import load
from tests.silent_changes import written_directly
from tests.upkeep.readings import never_fall

REG, KEY = "LK19 VTE", "lk19vte"
MIGRATION = MIGRATIONS / "versions" / "20261122_2240_90c4a7d2e1b8_readings_of_checks.py"


@pytest.fixture
def by(app, vehicle, manager_id):
    """Return the id of a manager, where a vehicle is in the list."""
    vehicle(REG)
    with app.app_context():
        yield manager_id


def november(day):
    return date(2025, 11, day)


def read(by, miles, day, reg=REG):
    values = {"day": november(day), "source": ReadingSource.BY_HAND}
    with transaction():
        return services.record_reading(reg, miles, **values, by=by).id


def accept(by, reading_id, *, void_others=False):
    with transaction():
        return services.accept_reading(reading_id, void_others=void_others, by=by)


def void(by, reading_id):
    with transaction():
        return services.void_reading(reading_id, reason="Typing error", by=by)


def in_use():
    rows = db.session.scalars(select(OdometerReading))
    return [Mileage(r.day, r.miles) for r in rows if r.is_accepted and r.void_at is None]


def test_a_typing_error_is_kept_and_not_used(by):
    read(by, 48_190, 3)
    wrong = read(by, 480_210, 5)
    read(by, 48_300, 6)
    assert current_mileage(KEY).miles == 48_300
    [row] = queries.doubtful_readings()
    assert (row.reading.id, row.reading.doubt) == (wrong, Doubt.JUMPED)
    assert row.question == "Is 480,210 right? It was 48,190 on 3 Nov."


def test_a_reading_of_an_earlier_day_is_judged_by_both_neighbours(by):
    read(by, 48_190, 3)
    read(by, 48_300, 9)
    read(by, 48_250, 5)
    read(by, 48_310, 6)
    assert current_mileage(KEY).miles == 48_300
    [row] = queries.doubtful_readings(KEY)
    assert row.question == "Is 48,310 right? It was 48,300 on 9 Nov."


def test_the_mileages_of_several_vehicles_are_their_newest(by, vehicle):
    vehicle("AB1")
    read(by, 100, 3)
    read(by, 150, 4)
    read(by, 7, 1, reg="AB1")
    found = current_mileages(["ab1", KEY, "other"])
    assert {key: row.miles for key, row in found.items()} == {"ab1": 7, KEY: 150}
    assert current_mileages(None).keys() == {"ab1", KEY}


def test_a_check_has_one_reading(by):
    values = {"day": november(1), "source": ReadingSource.CHECK, "source_id": 1, "by": by}
    with transaction():
        first, second = (services.record_reading(REG, 5, **values).id for _ in range(2))
    assert first == second


def test_an_accepted_reading_is_used_and_others_wait_for_their_own_decision(by):
    read(by, 48_190, 3)
    jumped = read(by, 60_000, 5)
    later = read(by, 60_100, 6)
    accept(by, jumped)
    assert current_mileage(KEY).miles == 60_000
    assert [row.reading.id for row in queries.doubtful_readings()] == [later]


def test_accepting_a_lower_reading_asks_to_void_the_higher_ones(by):
    wrong = read(by, 480_210, 3)
    right = read(by, 48_210, 5)
    with pytest.raises(Invalid, match="as long as 480,210 of 3 Nov 2025 counts") as refused:
        accept(by, right)
    assert refused.value.field == "void_others"
    assert accept(by, right, void_others=True).others_void == 1
    assert current_mileage(KEY).miles == 48_210
    assert db.session.get(OdometerReading, wrong).void_reason == "Contradicts 48,210 of 5 Nov 2025"


def test_a_void_reading_stays_with_its_reason(by):
    only = read(by, 48_190, 3)
    void(by, only)
    assert current_mileage(KEY) is None
    assert db.session.get(OdometerReading, only).void_reason == "Typing error"


def test_who_decides_second_reads_who_was_first(by):
    read(by, 48_190, 3)
    doubtful = read(by, 48_000, 4)
    void(by, doubtful)
    for decide in (void, accept):
        with pytest.raises(Conflict, match=r"^k\.lee voided 48,000 of LK19 VTE at \d+:\d\d\."):
            decide(by, doubtful)


def test_a_reading_in_use_cannot_be_accepted_again_nor_one_that_does_not_exist_decided_on(by):
    with pytest.raises(Conflict, match="in use already"):
        accept(by, read(by, 48_190, 3))
    for decide in (void, accept):
        with pytest.raises(NotFound):
            decide(by, 9999)


@pytest.mark.slow
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["read", "accept", "void"]), st.integers(1, 9), st.integers(0, 9000)
        ),
        max_size=12,
    )
)
def test_readings_in_use_never_fall_whatever_is_decided(by, steps):
    with written_directly(), transaction():
        db.session.execute(delete(OdometerReading))
    ids = []
    for step, day, miles in steps:
        if step == "read" or not ids:
            ids.append(read(by, miles, day))
            continue
        reading_id = ids[miles % len(ids)]
        try:
            if step == "void":
                void(by, reading_id)
            else:
                accept(by, reading_id, void_others=day > 4)
        except (Conflict, Invalid):
            continue
        assert never_fall(in_use())
    assert never_fall(in_use())


def import_rows(by, *rows):
    """Import a file with rows such as 'LK19 VTE,2025-11-03,100'."""
    text, target = "\n".join(("reg,day,miles", *rows)), TARGETS["readings"]
    with transaction():
        return import_readings(target.read(target.prepare("f.csv", Sheet(text))), by=by)


def test_an_import_adds_what_is_not_there_in_the_order_of_days(by):
    rows = [f"{REG},2025-11-09,300", f"{REG},2025-11-03,100", f"{REG},2025-11-04,99"]
    done = import_rows(by, *rows, rows[0])
    assert (done.added, done.doubtful, done.unchanged) == (3, 1, 1)
    again = import_rows(by, *rows)
    assert (again.added, again.unchanged) == (0, 3)


def test_an_import_judges_each_row_by_what_is_stored_and_by_the_rows_before_it(by, vehicle):
    vehicle("AB1")
    read(by, 50_000, 3)
    read(by, 51_000, 9)
    read(by, 7, 5, reg="AB1")
    done = import_rows(
        by,
        f"{REG},2025-11-05,50700",
        f"{REG},2025-11-06,50600",
        f"{REG},2025-11-07,50800",
        f"{REG},2025-11-08,51200",
        "ab1,2025-11-04,5",
        "AB1,2025-11-10,8",
    )
    assert (done.added, done.doubtful) == (6, 2)
    assert {row.reading.miles for row in queries.doubtful_readings()} == {50_600, 51_200}


def test_an_import_names_all_errors_in_the_order_of_the_rows_and_adds_nothing(by):
    with pytest.raises(FileErrors) as refused:
        import_rows(
            by, f"{REG},2025-11-09,300", "NO1,2025-11-03,100", f"{REG},3 Nov,100", "NO2,,-1"
        )
    places = [line.split(": ")[1] for line in refused.value.message.splitlines()[1:]]
    assert places == ["row 3, reg", "row 4, day", "row 5, day", "row 5, miles", "row 5, reg"]
    assert "f.csv: row 3, reg: There is no vehicle NO1." in refused.value.message
    assert in_use() == []


def test_a_longer_file_takes_no_more_statements(by, statements):
    def rows(*days):
        return [f"{REG},2025-{month:02}-{day:02},{day}" for month in (9, 10) for day in days]

    import_rows(by, *rows(1))
    few = statements(lambda: import_rows(by, *rows(2)))
    assert statements(lambda: import_rows(by, *rows(*range(3, 29)))) == few


@pytest.fixture
def checks(by, check):
    """Submit checks of two vehicles whose readings are missing."""
    for day, miles in ((3, 48_190), (5, 480_210), (6, 48_300), (4, 48_000)):
        check(REG, odometer=miles, day=november(day))
    check("AB1", odometer=5, day=november(1))
    with written_directly(), transaction():
        db.session.execute(delete(OdometerReading))


def filled():
    in_order = select(OdometerReading).order_by(OdometerReading.reg_key, OdometerReading.day)
    return [(row.reg_key, row.miles, row.doubt) for row in db.session.scalars(in_order)]


EXPECTED = [
    ("ab1", 5, None),
    (KEY, 48_190, None),
    (KEY, 48_000, Doubt.FELL),
    (KEY, 480_210, Doubt.JUMPED),
    (KEY, 48_300, None),
]


@pytest.mark.usefixtures("checks")
@pytest.mark.parametrize("size", [1, 1000])
def test_the_migration_judges_the_checks_that_are_there_by_their_days(size):
    migration = load(MIGRATION)
    migration.BATCH_SIZE = size
    with (
        db.engine.begin() as connection,
        Operations.context(MigrationContext.configure(connection)),
    ):
        migration.upgrade()
        migration.upgrade()
    assert filled() == EXPECTED


@pytest.mark.usefixtures("checks")
def test_a_rebuild_adds_the_readings_that_checks_lack():
    with transaction():
        assert rebuild_readings() == 5
    assert filled() == EXPECTED
    with transaction():
        assert rebuild_readings() == 0
