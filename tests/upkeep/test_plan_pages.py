"""The pages of plans: their previews, and what withdrawing one closes."""

import re
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
    first = dates.format_day(dates.today() + timedelta(days=56))
    assert preview.all(".effects h2") == [f"Makes 1 item, the first on {first}."]
    assert preview.all(".effects li") == [f"{REG} on {first}"]
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
    until = dates.format_day(dates.today() + timedelta(days=5))
    assert preview.all(".effects li") == [f"{REG} MOT on {until}"]


def test_the_preview_of_a_plan_names_every_vehicle_with_its_day_and_miles(manager, in_app, vehicle):
    in_app(rows.reading, 34_587)
    for number in range(13):
        vehicle(f"VAN {number:02}")
    values = {"label": "Service", "kind": "service", "every_months": "12", "every_miles": "10000"}
    values |= {"applies": "all", "anchor": "done", "blocks": "warn"}
    preview = send(manager, "/fleet/plans/add", **values)
    named = preview.all(".effects li")
    assert (len(named), preview.all(".effects summary")) == (14, ["and 2 more"])
    assert re.fullmatch(rf"{REG} on \d+ \w+ \d+ or at 44,587 miles", named[0])
    assert len({text.partition(" on ")[2] for text in named}) == 14


def test_the_preview_of_a_plan_warns_of_a_second_one(manager, app, in_app):
    plan = in_app(rows.plan, label="Yard check", kind=DueKind.INSPECTION)
    item = {"plan_id": plan, "kind": DueKind.INSPECTION, "label": "Yard check"}
    values = {"label": "Safety", "kind": "inspection", "every_days": "56", "applies": "all"}

    def warning():
        preview = send(manager, "/fleet/plans/add", **values, anchor="done", blocks="block")
        assert "A second one for 1 vehicle." in preview.text
        assert "Have one already:" in preview.text
        return preview.all(".effects li")[-1]

    assert warning() == f"{REG} Yard check"
    open_item(app, 5, **item)
    assert warning() == f"{REG} Yard check on {dates.format_day(dates.today() + timedelta(days=5))}"


def test_a_plan_that_makes_nothing_is_not_offered_to_be_saved(manager, in_app):
    values = {"label": "Service", "kind": "service", "every_miles": "10000", "applies": "all"}
    values |= {"anchor": "done", "blocks": "warn"}
    preview = send(manager, "/fleet/plans/add", **values)
    assert preview.all(".effects h2") == ["1 vehicle without a mileage: no item yet."]
    assert "So there is nothing to save yet." in preview.text
    assert preview.all("main .form button") == ["Preview"]
    assert manager.submit(preview, **values).all(".effects")
    in_app(rows.reading, 34_587)
    again = manager.submit(preview, **values)
    assert again.all("main .form button") == ["Save"]
    manager.submit(again, **values)
    edited = send(manager, "/fleet/plans/1/edit", **values, soon_days="60")
    assert edited.all("main .form button") == ["Save"]


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
    again = manager.submit(preview, **values)
    assert (again.question, "nothing to save yet" in again.text) == ([], True)


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


def test_withdrawing_a_plan_names_the_vehicles_that_are_overdue(manager, app, in_app):
    plan_id = in_app(rows.plan)
    open_item(app, -1, plan_id=plan_id, kind=DueKind.SERVICE, label="Service")
    page = manager.open(f"/fleet/plans/{plan_id}/withdraw")
    assert f"Overdue now: {REG}. Nothing will be due there any more." in page.text
