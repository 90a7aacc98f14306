"""Numbers that people can say: one after the other, each once, read as people type them."""

import pytest
from sqlalchemy import select

from app.db import db, transaction
from app.number_counter import NumberCounter, next_number
from app.reference_numbers import (
    ReferenceNumber,
    Series,
    parse_reference,
)
from tests.fleet.threads import run_at_once

pytestmark = pytest.mark.differs_by_engine


def take(series: Series = Series.DEFECT) -> int:
    with transaction():
        return next_number(series)


def test_each_series_counts_from_one(app):
    with app.app_context():
        assert [take() for _ in range(3)] == [1, 2, 3]
        assert take(Series.REPAIR) == 1
        with transaction():
            several = [next_number(Series.DEFECT) for _ in range(2)]
        assert several == [4, 5]


def test_a_number_that_is_taken_back_is_the_next_one_again(app):
    with app.app_context():
        take()
        with pytest.raises(ZeroDivisionError), transaction():
            assert next_number(Series.DEFECT) == 2
            raise ZeroDivisionError
        assert take() == 2


def test_those_who_take_numbers_at_once_get_each_once_and_leave_no_gap(app):
    def work() -> list[int]:
        with app.app_context():
            return [take() for _ in range(5)]

    taken = run_at_once([work] * 4)
    assert sorted(number for each in taken for number in each) == list(range(1, 21))
    assert all(each == sorted(each) for each in taken)


def test_there_is_a_counter_for_every_series(app):
    with app.app_context():
        counters = db.session.scalars(select(NumberCounter.series)).all()
        assert set(counters) == {series.value for series in Series}


@pytest.mark.parametrize(
    ("number", "text"), [(1, "D-0001"), (142, "D-0142"), (9999, "D-9999"), (12345, "D-12345")]
)
def test_a_number_has_four_digits_or_more_and_is_read_as_it_is_written(number, text):
    reference = ReferenceNumber(Series.DEFECT, number)
    assert str(reference) == text
    assert parse_reference(text) == reference


@pytest.mark.parametrize(
    "text", ["D-0142", "d-0142", "d142", "D 142", " d - 142 ", "D-000142", "\td142\n"]
)
def test_a_number_is_read_however_it_is_typed(text):
    assert parse_reference(text) == ReferenceNumber(Series.DEFECT, 142)


@pytest.mark.parametrize(
    "text",
    ["", "142", "D", "X-0142", "D-0142a", "DD-0142", "D--142", "D-1 42", "D-1234567890", "D-١٤٢"],
)
def test_other_texts_are_no_numbers(text):
    assert parse_reference(text) is None
