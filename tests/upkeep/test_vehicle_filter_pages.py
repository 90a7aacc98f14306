"""Lists of upkeep that are filtered by what doesn't exist."""

import pytest

from app.db import db, transaction
from app.fleet.models import Vehicle
from tests.silent_changes import written_directly

PAGES = ("costs", "costs/rows", "defects", "readings", "record")
FILES = ("costs/costs.csv", "defects.csv", "record/vehicle.csv")


@pytest.fixture
def opened(manager, vehicle):
    """Return a function that opens each list for a registration, where another van is listed."""
    vehicle("LK19 VTE")

    def opened(reg, paths):
        return {path: manager.open(f"/fleet/{path}?vehicle={reg}") for path in paths}

    return opened


def test_a_registration_that_no_vehicle_has_is_refused_with_what_to_do_next(opened):
    for path, page in opened("no1+car", (*PAGES, *FILES)).items():
        assert page.status == 422, path
        assert "There is no vehicle NO1 CAR. Check the number plate." in page.text, path
    for path, page in opened("no1+car", PAGES).items():
        assert page.html.select_one(".notice.bad"), path
        assert page.html.title.get_text().startswith("Error: "), path


def test_a_listed_vehicle_without_rows_is_no_error(opened):
    for path, page in opened("lk19vte", (*PAGES, *FILES)).items():
        assert page.status == 200, path


def test_a_vehicle_that_left_the_lists_is_found_by_what_is_on_record(app, opened, vehicle, check):
    vehicle("AB12 CDE")
    check("AB12 CDE")
    with app.app_context(), written_directly(), transaction():
        db.session.query(Vehicle).filter_by(reg="AB12 CDE").delete()
    for path, page in opened("ab12cde", (*PAGES, *FILES)).items():
        assert page.status == 200, path


def test_what_is_due_of_a_kind_or_part_that_does_not_exist_is_refused(manager, vehicle):
    for choice in ("kind=van", "group=never"):
        page = manager.open(f"/fleet/due?{choice}")
        assert page.status == 422, choice
        assert "There is no such" in page.html.select_one(".notice.bad").get_text(), choice
