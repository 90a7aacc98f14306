"""Forms about what is due, plans and readings that somebody else forestalled."""

from datetime import timedelta

import pytest

from app.due.rules.fields import DueKind
from app.mileage.rules import Doubt
from tests.upkeep import rows
from tests.upkeep.due_steps import send
from tests.upkeep.rows import LK19


@pytest.fixture(autouse=True)
def van(vehicle):
    """Add a van to the list."""
    vehicle(LK19, classification="Van")


def test_a_plan_that_somebody_forestalled_is_saved_once_it_was_checked(manager):
    values = {"label": "Inspection", "kind": "inspection", "every_days": "56"}
    values |= {"applies": "all", "anchor": "done", "blocks": "block"}
    manager.submit(send(manager, "/fleet/plans/add", **values), **values)
    late, saved = values | {"every_days": "35"}, values | {"every_days": "28"}
    preview = send(manager, "/fleet/plans/1/edit", **late)
    manager.submit(send(manager, "/fleet/plans/1/edit", **saved), **saved)
    refused = manager.submit(preview, **late)
    assert refused.status == 409
    (notice,) = refused.all(".notice.warn")
    assert notice.startswith("k.lee changed it at ")
    assert "It is now: Inspection, every 28 days, all vehicles." in notice
    manager.submit(manager.submit(refused, **late), **late)
    assert "Every 35 days" in manager.open("/fleet/plans").text


def test_an_item_that_somebody_forestalled_is_changed_once_it_was_checked(in_app, manager, today):
    item = in_app(
        rows.due_item, kind=DueKind.TACHO, label="Tacho", due_on=today + timedelta(days=5)
    )
    path = f"/fleet/due/{item}"
    for verb, typed in (
        ("edit", {"label": "Late"}),
        ("snooze", {"until": str(today + timedelta(days=2)), "reason": "Booked"}),
        ("withdraw", {}),
    ):
        late = manager.open(f"{path}/{verb}")
        send(manager, f"{path}/edit", label=f"Before {verb}")
        refused = manager.submit(late, **typed)
        assert refused.status == 409, verb
        manager.submit(refused, **typed)
    assert "Closed (withdrawn)" in manager.open(path).text


def test_a_reading_that_somebody_decided_on_is_offered_for_no_second_decision(in_app, manager):
    wrong = in_app(rows.reading, 480_210, doubt=Doubt.JUMPED, is_accepted=False)
    path = f"/fleet/readings/{wrong}"
    late = manager.open(f"{path}/accept")
    send(manager, f"{path}/void", reason="Typing error")
    refused = manager.submit(late)
    assert refused.status == 409
    for page in (refused, manager.open(f"{path}/accept"), manager.open(f"{path}/void")):
        assert "k.lee voided 480,210 of LK19 VTE at" in page.text
        assert not page.all("main form button")
