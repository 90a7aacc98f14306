"""What a vehicle's record has of items that were moved or withdrawn."""

from datetime import date

import pytest

from app import dates
from app.due.rules.fields import DueKind
from app.vehicle_file.queries.reader import RecordFilters
from app.vehicle_file.queries.record import record_entries
from app.vehicle_file.rules.record import RecordKind
from tests import factories
from tests.upkeep.due_steps import add, edit, withdraw
from tests.upkeep.rows import LK19

pytestmark = pytest.mark.differs_by_engine

OTHER = "YD21 HMO"


def test_an_item_that_was_moved_or_withdrawn_is_on_record_at_each_of_its_vehicles(app):
    with app.app_context():
        by = factories.user("k.lee")
        for reg in (LK19, OTHER):
            factories.vehicle(reg)
        service = {"kind": DueKind.SERVICE, "regs": [LK19, OTHER], "label": "Service"}
        item = add(by, date(2026, 3, 1), **service)
        edit(by, item, date(2026, 3, 1), **service | {"label": "Big service"})
        edit(by, item, date(2027, 3, 1), revision=1, **service)
        withdraw(by, item, revision=2)
        tyres = {"kind": DueKind.TYRES, "label": "Tyres"}
        item = add(by, due_miles=50_000, **tyres)
        edit(by, item, date(2027, 3, 1), due_miles=60_000, **tyres)
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
