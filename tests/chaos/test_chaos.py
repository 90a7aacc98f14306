"""A short part of `make chaos`: what is acknowledged stays, once, whatever dies or gets lost."""

import pytest

from tests.chaos import scenarios
from tests.chaos.places import fill
from tests.chaos.trials import Place

PART = {
    ("kills", "sqlite"): 4 / 500,
    ("network", "postgresql"): 40 / 2000,
    ("stop", "postgresql"): 1 / 5,
}
"""Scenarios that take little time, each on an engine, and the part of the whole run done here."""


@pytest.fixture
def place(request, tmp_path):
    """Where a scenario gets its databases from."""
    engine = request.param
    copies = request.getfixturevalue(engine)
    filled = copies.fresh()
    fill(filled, tmp_path)
    yield Place(
        engine, fresh=lambda: filled, empty=copies.fresh, bare=copies.fresh, copy=copies.keep
    )
    copies.remove(filled)


@pytest.mark.thorough
@pytest.mark.parametrize(("scenario", "place"), PART, indirect=["place"])
def test_what_is_acknowledged_stays_once(scenario, place, tmp_path):
    folder = tmp_path / "installation"
    outcome = scenarios.run(scenario, place, folder, "tests", PART[scenario, place.engine])
    assert list(outcome.problems) == []
    assert scenarios.line(outcome).endswith("right")
