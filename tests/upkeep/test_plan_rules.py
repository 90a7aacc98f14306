"""What plans make and move, and on which days."""

from datetime import date

from app.due.rules.fields import Applies, DueKind
from app.due.rules.plans import PlanDraft, PlanVehicle, first_due

VAN = PlanVehicle("lk19vte", "LK19 VTE", miles=10_000)


def plan(**values):
    """Return a plan of all vans."""
    return PlanDraft(label="Service", kind=DueKind.SERVICE, applies=Applies.ALL, **values)


def test_a_first_item_keeps_the_day_of_the_month_on_which_its_plan_was_made():
    first = first_due(plan(every_months=1, every_miles=1000), VAN, date(2026, 1, 31))
    assert (first.on, first.miles, first.anchor_day) == (date(2026, 2, 28), 11_000, 31)


def test_a_first_day_that_was_typed_leaves_the_mileage_to_the_plan():
    typed = plan(every_months=1, every_miles=1000, first_due_on=date(2026, 3, 9))
    first = first_due(typed, VAN, date(2026, 1, 31))
    assert (first.on, first.miles, first.anchor_day) == (date(2026, 3, 9), 11_000, None)
