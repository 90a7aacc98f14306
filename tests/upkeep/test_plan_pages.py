"""The pages of plans: their previews, and what withdrawing one closes."""

from datetime import timedelta

import pytest

from app import dates
from app.due.queries.due import items_of
from app.due.rules.fields import Blocks, DueKind
from tests.upkeep import rows
from tests.upkeep.due_steps import KEY, REG, send


@pytest.fixture(autouse=True)
def van(vehicle):
    """Add a van to the list."""
    vehicle(REG, classification="Van")


def open_item(app, days, **values):
    """Store an item of the van that is due so many days from today."""
    with app.app_context():
        return rows.due_item(REG, due_on=dates.today() + timedelta(days=days), **values)


def test_a_plan_is_saved_once_its_effects_were_shown(manager, app):
    values = {"label": "Inspection", "kind": "inspection", "every_days": "56"}
    values |= {"applies": "all", "anchor": "done", "blocks": "block"}
    preview = send(manager, "/fleet/plans/add", **values)
    assert "Makes 1 item, the first on" in preview.text
    with app.app_context():
        assert items_of([KEY]) == []
    manager.submit(preview, **values)
    with app.app_context():
        assert len(items_of([KEY])) == 1
    assert "Every 56 days" in manager.open("/fleet/plans").text


def test_the_preview_of_a_plan_names_what_it_takes_over(manager, app):
    open_item(app, 5)
    values = {"label": "Safety", "kind": "mot", "every_months": "12", "applies": "all"}
    preview = send(manager, "/fleet/plans/add", **values, anchor="done", blocks="block")
    assert preview.all(".effects li") == [f"{REG} MOT"]


def test_the_preview_of_a_plan_says_that_no_vehicle_has_its_classification(manager):
    values = {"label": "Lift", "kind": "loler", "every_months": "6", "applies": "classification"}
    values |= {"classification": "Nope", "anchor": "done", "blocks": "warn"}
    preview = send(manager, "/fleet/plans/add", **values)
    assert "No vehicle has the classification Nope yet." in preview.text


def test_a_plan_finds_the_vehicles_of_its_classification_whatever_its_case(manager, app):
    values = {"label": "Lift", "kind": "loler", "every_months": "6", "applies": "classification"}
    values |= {"classification": "va", "anchor": "done", "blocks": "warn"}
    question = send(manager, "/fleet/plans/add", **values)
    assert question.question[1:-1] == ["Van"]
    preview = manager.submit(question, **values | {"classification": "van"})
    assert "Makes 1 item" in preview.text
    manager.submit(preview, **values | {"classification": "van"})
    assert "Van" in manager.open("/fleet/plans").all("#rows td")
    # What is confirmed as new stays so from the preview on.
    values |= {"label": "Ramp"}
    preview = manager.submit(send(manager, "/fleet/plans/add", **values), **values, new="va")
    assert "No vehicle has the classification va yet." in preview.text
    assert "Saved the plan Ramp." in manager.submit(preview, **values).text


def test_no_plan_weakens_what_an_overdue_mot_means(manager, app):
    open_item(app, -13)
    values = {"label": "MOT", "kind": "mot", "every_months": "12", "applies": "all"}
    form = manager.open("/fleet/plans/add")
    assert form.html.select_one("#blocks [selected]")["value"] == "warn"
    values |= {"anchor": "done", "blocks": "none"}
    manager.submit(manager.submit(form, **values), **values)
    with app.app_context():
        (mot,) = items_of([KEY])
        assert (mot.plan_id, mot.terms.blocks) == (1, Blocks.BLOCK)
    assert "It keeps the vehicle off the road" in manager.open("/fleet/plans").text


def test_withdrawing_a_plan_names_the_vehicles_that_are_overdue(manager, app):
    with app.app_context():
        plan_id = rows.plan()
    open_item(app, -1, plan_id=plan_id, kind=DueKind.SERVICE, label="Service")
    page = manager.open(f"/fleet/plans/{plan_id}/withdraw")
    assert f"Overdue now: {REG}. Nothing will be due there any more." in page.text
