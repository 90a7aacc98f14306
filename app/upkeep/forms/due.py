"""The forms of due items, readings and plans."""

import re
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from flask import current_app, request
from wtforms import BooleanField, HiddenField
from wtforms.widgets import TextArea

from app.attachments.rules import ACCEPTED
from app.errors import Invalid, QuartermasterError
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate, plate_key
from app.idempotency import Submission
from app.tables.csv_files import FileErrors, Upload
from app.upkeep.rules import next_due as fields
from app.upkeep.rules.kinds import DueKind
from app.upkeep.rules.next_due import Proposed, first_mot
from app.upkeep.rules.plans import PlanDraft
from app.upkeep.services.done import DoneValues
from app.upkeep.services.due import DueValues
from app.web.form_fields import HiddenNumberField, ParsedField, form_field, inputs_of
from app.web.forms import FileForm, FilesField, Form

MAX_ERRORS = 20
"""How many errors of a file its form shows."""

MAX_FILE_SIZE = 4 * 1024 * 1024


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
    registered_on = form_field(fields.REGISTERED_ON)

    def values(self, **others: Any) -> Any:
        """Return the item; an MOT without a day is due some years after registration."""
        due_on = self.due_on.data
        if not due_on and self.kind.data is DueKind.MOT and self.registered_on.data:
            due_on = first_mot(self.registered_on.data, first_mot_years())
        return super().values(due_on=due_on, **others)


@inputs_of(DueValues, without=("kind",))
class EditDueForm(Form):
    """The form of an existing item, whose kind can't be changed."""

    regs = ParsedField("Vehicles", parse_regs, empty=[], widget=TextArea(), format=", ".join)
    revision = HiddenNumberField()


class SnoozeForm(Form):
    """The form that keeps an item quiet until a day."""

    until = form_field(fields.UNTIL)
    reason = form_field(fields.REASON)
    revision = HiddenNumberField()


class WithdrawForm(Form):
    """The confirmation that withdraws an item or a plan."""

    revision = HiddenNumberField()


@inputs_of(DoneValues)
class DoneForm(FileForm):
    """The work done on an item.

    `offered_on` and `offered_miles` are the next day and mileage that the form proposed.
    """

    defects = form_field(fields.DEFECT_LINES)
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


class AddReadingForm(Form):
    """A reading that is added by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    miles = form_field(fields.MILES)
    day = form_field(fields.READ_ON)


class AcceptReadingForm(Form):
    """The decision to use a doubtful reading."""

    void_others = BooleanField("Void the readings that contradict it")


class VoidReadingForm(Form):
    """The decision not to use a reading."""

    reason = form_field(fields.VOID_REASON)


@inputs_of(PlanDraft)
class PlanForm(Form):
    """A plan; `confirmed` names the effects that its editor was shown."""

    regs = ParsedField("Chosen vehicles", parse_regs, empty=[], widget=TextArea(), format=", ".join)
    confirmed = HiddenField()
    revision = HiddenNumberField()

    def fill(self, draft: PlanDraft) -> None:
        """Fill in the values of a plan."""
        for name, value in vars(draft).items():
            if name in self:
                self[name].data = value
        self.regs.data = list(draft.regs.values())

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the typed plan, and the confirmed effects."""
        regs = {plate_key(reg): reg for reg in self.regs.data or []}
        return {"draft": super().values(regs=regs), "confirmed": self.confirmed.data or ""}


class CsvForm(Form):
    """An upload of a CSV file."""

    dry_run = BooleanField("Only check the file")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the file, and whether it is only checked."""
        return {"upload": self.upload, "dry_run": bool(self.dry_run.data)}

    def refuse(self, error: QuartermasterError) -> None:
        """Show the first errors of a file."""
        super().refuse(error.shortened(MAX_ERRORS) if isinstance(error, FileErrors) else error)

    @cached_property
    def upload(self) -> Upload:
        """Return the chosen file; raises Invalid for none and for one that is too large."""
        file = request.files.get("file")
        if file is None or not file.filename:
            raise Invalid("Choose a CSV file.")
        data = file.read(MAX_FILE_SIZE + 1)
        if len(data) > MAX_FILE_SIZE:
            raise Invalid("The file has more than 4 MB. Split it.")
        return Upload(file.filename[:80], data)

    def submission(self) -> Submission:
        """Return this submission with its file, for `exactly_once`."""
        submission = super().submission()
        digest = sha256(self.upload.data).hexdigest()
        return replace(submission, body=(*submission.body, ("file", digest)))
