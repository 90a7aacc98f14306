"""What a vehicle's record has of items that were moved or withdrawn."""

from dataclasses import replace
from datetime import date

import pytest

from app import dates
from app.db import transaction
from app.upkeep.queries.record import record_entries
from app.upkeep.queries.record_reader import RecordFilters
from app.upkeep.rules.kinds import DueKind
from app.upkeep.rules.record import RecordKind
from app.upkeep.services.due import DueValues, add_item, edit_item, withdraw_item
from tests import factories
from tests.upkeep.rows import LK19

pytestmark = pytest.mark.differs_by_engine

OTHER = "YD21 HMO"


def test_an_item_that_was_moved_or_withdrawn_is_on_record_at_each_of_its_vehicles(app):
    with app.app_context():
        by = factories.user("k.lee")
        for reg in (LK19, OTHER):
            factories.vehicle(reg)
        values = DueValues([LK19, OTHER], DueKind.SERVICE, "Service", date(2026, 3, 1), None)
        with transaction():
            item = add_item(values, by=by).item_id
        with transaction():
            edit_item(item, replace(values, label="Big service"), revision=0, by=by)
        moved = replace(values, due_on=date(2027, 3, 1))
        with transaction():
            edit_item(item, moved, revision=1, by=by)
        with transaction():
            withdraw_item(item, revision=2, by=by)
        tyres = DueValues([LK19], DueKind.TYRES, "Tyres", None, 50_000)
        with transaction():
            item = add_item(tyres, by=by).item_id
        with transaction():
            both = replace(tyres, due_on=date(2027, 3, 1), due_miles=60_000)
            edit_item(item, both, revision=0, by=by)
        today = dates.today()
        found = record_entries(RecordFilters(today, today))
        changes = [e for e in found if e.kind is RecordKind.DUE_CHANGED]
        assert [(e.reg, e.title, e.outcome, e.detail, e.who) for e in changes] == [
            (LK19, "Service", "Changed", "Was due on 1 Mar 2026. Now due on 1 Mar 2027.", "k.lee"),
            (LK19, "Service", "Withdrawn", "Was due on 1 Mar 2027.", "k.lee"),
            (
                *(LK19, "Tyres", "Changed"),
                "Was due at 50,000 miles. Now due on 1 Mar 2027 or at 60,000 miles.",
                "k.lee",
            ),
            (OTHER, "Service", "Changed", "Was due on 1 Mar 2026. Now due on 1 Mar 2027.", "k.lee"),
            (OTHER, "Service", "Withdrawn", "Was due on 1 Mar 2027.", "k.lee"),
        ]
