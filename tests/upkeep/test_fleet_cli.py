from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from app import dates
from app.db import db
from app.defects.models import Repair
from tests import factories
from tests.upkeep import rows

OLD = dates.today() - timedelta(days=500)


@pytest.fixture
def prune(app):
    """Return a function that runs the command; there is an old repair."""
    with app.app_context():
        factories.user()
        rows.repair(finished_on=OLD, recorded_at=datetime(2020, 1, 1, tzinfo=UTC))

    def run(*args):
        result = app.test_cli_runner().invoke(args=["fleet", "prune", *args])
        with app.app_context():
            left = db.session.execute(select(func.count()).select_from(Repair)).scalar_one()
        return result.exit_code, result.output.strip(), left

    return run


def test_old_records_are_removed_and_counted(prune):
    code, output, left = prune("--older-than", "15m")
    assert (code, left) == (0, 0)
    assert "0 checks, 0 defects, 1 repairs, 0 times off the road" in output


def test_a_dry_run_removes_nothing(prune):
    code, output, left = prune("--older-than", "15m", "--dry-run")
    assert (code, left) == (0, 1)
    assert output.startswith("Would remove from before ")
    assert output.endswith("Dry run: nothing was removed.")


def test_less_than_the_months_that_records_are_kept_is_refused(prune):
    code, output, left = prune("--older-than", "14m")
    assert (code, left) == (1, 1)
    assert output == "Error: Records are kept for 15 months (RETENTION_MONTHS). Nothing was done."
