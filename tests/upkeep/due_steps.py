"""Steps of the tests of what is due, and of its plans."""

from app import dates
from app.db import transaction
from app.due.queries.due import items_of
from app.due.rules.fields import Applies, DueKind
from app.due.rules.plans import PlanDraft
from app.due.services import due as services
from app.due.services import plans
from app.due.services.done import DoneValues, mark_done, undo_done
from app.due.services.due import DueValues
from app.mileage.rules import ReadingSource
from app.mileage.services import record_reading

REG, KEY = "LK19 VTE", "lk19vte"
VANS = ("LK19 VTE", "LM20 ABC", "EF70 LKP")


def add(by, due_on=None, *, kind=DueKind.MOT, regs=(REG,), due_miles=None, label=""):
    """Open an item and return its id."""
    with transaction():
        values = DueValues(regs, kind, label, due_on, due_miles)
        return services.add_item(values, by=by).item_id


def done(by, item_id, revision=0, **values):
    """Mark an item as done."""
    with transaction():
        return mark_done(item_id, DoneValues(**values), revision=revision, by=by)


def edit(by, item_id, due_on, revision=0, *, regs=(REG,), **values):
    """Change an item."""
    with transaction():
        values = {"due_on": due_on, "due_miles": None, "regs": regs, **values}
        return services.edit_item(item_id, **values, revision=revision, by=by)


def withdraw(by, item_id, revision=0):
    """Withdraw an item."""
    with transaction():
        return services.withdraw_item(item_id, revision=revision, by=by)


def undo(by, change):
    """Take back what was done about an item."""
    with transaction():
        return undo_done(change.done_id, by=by)


def on(day):
    """Return a context in which it is noon of a day."""
    return dates.as_of(dates.noon_in_london(day))


def read(by, miles, day, reg=REG):
    """Record a reading by hand."""
    with transaction():
        return record_reading(reg, miles, day=day, source=ReadingSource.BY_HAND, by=by).id


def save(by, confirmed=None, plan_id=None, revision=0, **values):
    """Save a plan of all vans."""
    draft = {
        "label": "8-weekly inspection",
        "kind": DueKind.INSPECTION,
        "applies": Applies.ALL,
        "every_days": 56,
        **values,
    }
    with transaction():
        return plans.save_plan(
            PlanDraft(**draft), plan_id=plan_id, revision=revision, confirmed=confirmed, by=by
        )


def open_of(reg_key=KEY):
    """Return the open items of a vehicle as kind, day and miles."""
    return [(r.terms.kind, r.terms.due_on, r.terms.due_miles) for r in items_of([reg_key])]


def send(person, path, **typed):
    """Fill in the form at an address and send it."""
    return person.submit(person.open(path), **typed)
