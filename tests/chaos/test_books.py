"""The driver's books: they notice what a broken guard would leave in the database."""

import pytest

from tests.chaos import scenarios
from tests.chaos.books import Books, bulk
from tests.chaos.trials import Outcome

FIRST = bulk("chaos-1", "delivery", "main", {"Heart": 3, "Star": 2})
SECOND = bulk("chaos-2", "transfer", "main", {"Heart": 1}, destination="guildford")
AMOUNTS = {("main", "Heart"): 12, ("main", "Star"): 12, ("guildford", "Heart"): 11}


@pytest.fixture
def books():
    """Books of a delivery and a transfer that were both acknowledged."""
    books = Books()
    for number, submission in enumerate((FIRST, SECOND), start=1):
        books.submit(submission)
        books.acknowledge(submission.key, number)
    return books


def database(operations, amounts):
    """Return a query of a database with these operations and amounts."""

    def query(statement):
        if "ledger_entry" in statement:
            return [(team, *numbers) for team, numbers in operations.items()]
        return [(*place, amount) for place, amount in amounts.items()]

    return query


RIGHT = {"chaos-1": (1, 2), "chaos-2": (1, 2)}


def test_a_database_that_has_everything_once_is_right(books):
    assert books.problems(database(RIGHT, AMOUNTS), 10) == []


@pytest.mark.parametrize(
    ("operations", "amounts", "problem"),
    [
        ({"chaos-1": (1, 2)}, {}, "chaos-2 is lost though it was acknowledged"),
        (RIGHT | {"chaos-1": (2, 4)}, {}, "chaos-1 is doubled"),
        (RIGHT | {"chaos-1": (1, 1)}, {}, "chaos-1 is stored in part"),
        (RIGHT | {"chaos-3": (1, 1)}, {}, "chaos-3 was never submitted"),
        (RIGHT, {("main", "Star"): 13}, "Star at main has 13, not 12"),
    ],
)
def test_what_differs_is_named(books, operations, amounts, problem):
    assert problem in books.problems(database(operations, AMOUNTS | amounts), 10)


def test_what_was_refused_must_not_be_stored(books):
    books.submit(bulk("chaos-3", "delivery", "main", {"Star": 1}))
    books.refuse("chaos-3", "409")
    stored = RIGHT | {"chaos-3": (1, 1)}
    found = books.problems(database(stored, AMOUNTS), 10)
    assert "chaos-3 was applied though it was refused" in found


def test_a_second_confirmation_names_the_same_operation(books):
    books.acknowledge("chaos-1", 1)
    assert books.faults == []
    books.acknowledge("chaos-1", 7)
    assert books.faults == ["chaos-1 was confirmed as operation 1, then as 7"]


def test_a_report_has_a_line_and_a_row_for_each_scenario():
    outcomes = [
        Outcome("kills", "sqlite", 12.3, {"kills": 1000}, []),
        Outcome("network", "postgresql", 4.5, {}, ["chaos-1 is doubled"]),
    ]
    assert scenarios.line(outcomes[0]) == "kills  sqlite  12 s  1,000 kills  right"
    assert [row.split() for row in scenarios.text(outcomes).splitlines()] == [
        ["scenario", "engine", "seconds", "result"],
        ["kills", "sqlite", "12", "s", "right"],
        ["network", "postgresql", "4", "s", "FAILED"],
    ]
    assert [each["is_right"] for each in scenarios.as_json(outcomes)] == [True, False]
