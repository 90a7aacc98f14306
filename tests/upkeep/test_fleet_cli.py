from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from app import dates
from app.db import db
from app.defects.models import Repair
from tests import factories
from tests.upkeep import rows

OLD = dates.today() - timedelta(days=500)


def test_old_records_are_removed_and_counted_unless_it_is_a_dry_run_or_too_early(app, in_app):
    in_app(factories.user)
    in_app(rows.repair, finished_on=OLD, recorded_at=datetime(2020, 1, 1, tzinfo=UTC))
    counted = "0 checks, 0 defects, 1 repairs, 0 times off the road"
    refused = "Error: Records are kept for 15 months (RETENTION_MONTHS). Nothing was done."
    for arguments, code, texts, left in (
        (["14m"], 1, (refused,), 1),
        (["15m", "--dry-run"], 0, ("Would remove from before ", counted, "Dry run: nothing"), 1),
        (["15m"], 0, ("Removed from before ", counted), 0),
    ):
        result = app.test_cli_runner().invoke(args=["fleet", "prune", "--older-than", *arguments])
        assert result.exit_code == code, arguments
        assert [text for text in texts if text not in result.output] == [], arguments
        with app.app_context():
            found = db.session.execute(select(func.count()).select_from(Repair)).scalar_one()
        assert found == left, arguments
