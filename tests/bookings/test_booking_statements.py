"""What bookings cost: few statements, and none that reads those of the past."""

import pytest
from sqlalchemy import event

from app import dates
from app.bookings.queries import availability
from app.bookings.rules import BookingKind
from app.bookings.services import bookings as services
from app.db import db, transaction
from tests import factories
from tests.bookings.steps import NOW, WORKER, hours, requested

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("vans")]


@pytest.mark.parametrize("values", [{}, {"class_name": "Van"}])
def test_to_book_takes_at_most_13_statements_and_a_lock(values, statements):
    for number in range(10, 50):
        factories.vehicle(f"AB{number} CDE", classification="Van")

    def work():
        with transaction():
            services.book([requested(hours(9, 10), **values)], by=WORKER)

    with dates.as_of(NOW):
        assert statements(work) <= 14


def test_what_is_free_is_read_with_few_statements_by_the_index_of_what_occupies(statements):
    found = availability.subjects(BookingKind.VEHICLE)
    reading = []

    def keep(connection, cursor, sql, parameters, *_):
        if "FROM booking \n" in sql:
            reading.append((sql, parameters))

    event.listen(db.engine, "before_cursor_execute", keep)
    assert statements(lambda: availability.Occupancy(found, hours(9, 12), NOW)) <= 6
    event.remove(db.engine, "before_cursor_execute", keep)
    ((sql, parameters),) = reading
    with db.engine.connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
        plan = str(connection.exec_driver_sql(f"{explain} {sql}", parameters).all())
    assert "ix_booking_occupying" in plan, plan
