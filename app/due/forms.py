"""The forms of due items and plans."""

import re
from typing import Any

from flask import current_app
from wtforms import HiddenField
from wtforms.widgets import TextArea

from app.attachments.rules import ACCEPTED
from app.defects.queries.repairs import garages
from app.due.rules import fields
from app.due.rules.fields import DueKind
from app.due.rules.next_due import Proposed, add_months
from app.due.rules.plans import PlanDraft
from app.due.services.done import DoneValues
from app.due.services.due import DueValues
from app.fields import Day, Lines
from app.fleet.queries.vehicles import classifications
from app.fleet.rules.vehicles import CLASSIFICATION, PLATE_REQUIRED, clean_plate
from app.web.form_fields import (
    HiddenNumberField,
    ParsedField,
    RevisionForm,
    form_field,
    form_of,
    inputs_of,
)
from app.web.forms import FileForm, FilesField, Form


def first_mot_years() -> int:
    """Return how many years after its registration a vehicle's first MOT is due."""
    years: int = current_app.config["QUARTERMASTER"].first_mot_years
    return years


def parse_regs(text: str) -> list[str]:
    """Return the registrations of a text that are separated by commas or lines."""
    return [clean_plate(part) for part in re.split(r"[,;\n]", text) if part.strip()]


@inputs_of(DueValues)
class AddDueForm(Form):
    """The form of a new item, for a vehicle or for several that share it."""

    regs = ParsedField("Vehicles", parse_regs, required=PLATE_REQUIRED, format=", ".join)
    registered_on = form_field(Day(label="First registered on"))

    def values(self, **others: Any) -> Any:
        """Return the item; an MOT without a day is due some years after registration."""
        due_on = self.due_on.data
        if not due_on and self.kind.data is DueKind.MOT and self.registered_on.data:
            due_on = add_months(self.registered_on.data, 12 * first_mot_years())
        return super().values(due_on=due_on, **others)


EditDueForm = form_of(
    DueValues,
    without=("kind",),
    regs=ParsedField("Vehicles", parse_regs, empty=[], widget=TextArea(), format=", ".join),
)


class SnoozeForm(RevisionForm):
    """The form that keeps an item quiet until a day."""

    until = form_field(
        fields.UNTIL,
        description=f"{fields.MAX_SNOOZE_DAYS} days at most. What it blocks once it is overdue "
        "stays blocked.",
    )
    reason = form_field(fields.REASON, render_kw={"autocomplete": "off"})


@inputs_of(DoneValues)
class DoneForm(FileForm):
    """The work done on an item; `offered_on` and `offered_miles` are what the form proposed."""

    defects = form_field(Lines(label="Advisories or failures, one a line", limit=fields.MAX_LINES))
    garage = form_field(fields.DONE_BY, existing=lambda _: garages())
    files = FilesField("Certificate, invoice or photos", accept=ACCEPTED)
    offered_on = HiddenField()
    offered_miles = HiddenField()
    revision = HiddenNumberField()

    def values(self, **others: Any) -> Any:
        """Return the done work."""
        day = self.next_due_on.data
        return super().values(
            next_due_on=Proposed(day) if day and self.is_kept("on") else day,
            next_due_miles=Proposed() if self.is_kept("miles") else self.next_due_miles.data,
            defects=self.defects.data.splitlines(),
            **others,
        )

    def is_kept(self, what: str) -> bool:
        """Return whether the next day ('on') or mileage ('miles') was left as proposed."""
        field, offered = self[f"next_due_{what}"], self[f"offered_{what}"]
        entered = (field.raw_data or [""])[0].strip() if field.data is None else str(field.data)
        return bool(entered == (offered.data or ""))


@inputs_of(PlanDraft)
class PlanForm(RevisionForm):
    """A plan; `confirmed` names the effects that its editor was shown."""

    regs = ParsedField("Chosen vehicles", parse_regs, empty=[], widget=TextArea(), format=", ".join)
    classification = form_field(
        CLASSIFICATION, existing=lambda _: classifications(), takes_spelling=True
    )
    confirmed = HiddenField()

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the typed plan, and the confirmed effects."""
        return {"draft": super().values(), "confirmed": self.confirmed.data or ""}
