"""The forms of defects, repairs and times off the road."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import wtforms
from flask import request
from wtforms import BooleanField, FieldList, FormField, SelectChoice, SelectField

from app import dates
from app.attachments.rules import ACCEPTED
from app.defects.models import Defect
from app.defects.queries.repairs import garages
from app.defects.rules import fields as own
from app.defects.rules import off_road
from app.defects.rules.defects import ClosingChoice, propose_repair
from app.defects.rules.fields import Closing, OffRoadReason
from app.defects.services.defects import DefectReport
from app.divisions import STORES, Store
from app.errors import Invalid, QuartermasterError
from app.fleet.rules.vehicles import PLATE_REQUIRED, clean_plate
from app.paging import MAX_ID
from app.reference_numbers import Series, parse_number
from app.stock.rules.items import NAME, QUANTITY
from app.web import rights
from app.web.form_fields import ParsedField, RevisionForm, form_field, inputs_of
from app.web.forms import FileForm, FilesField, Form


def parse_defect_number(text: str) -> int:
    """Return the number that 'D-0142', 'd142' or '142' has; raises Invalid for any other text."""
    number = parse_number(text, Series.DEFECT)
    if number is None:
        raise Invalid("Enter the number of a defect, such as D-0142.")
    return number


@inputs_of(DefectReport)
class ReportDefectForm(FileForm):
    """A defect that somebody reports without a check."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    day = form_field(own.DAY, default=dates.today)
    files = FilesField("Photos or PDF", accept=ACCEPTED)

    def values(self, **others: Any) -> Any:
        """Return the report, of today unless it has a day."""
        return super().values(day=self.day.data or dates.today(), **others)


class AssessDefectForm(RevisionForm):
    """How bad a defect is."""

    severity = form_field(replace(own.SEVERITY, none="", refusal="Choose how bad it is."))
    note = form_field(own.NOTE)


class BookDefectForm(RevisionForm):
    """The garage and day of a defect's repair."""

    garage = form_field(own.GARAGE, existing=lambda _: garages())
    booked_for = form_field(own.BOOKED_FOR)
    note = form_field(own.NOTE)


class SignOffForm(RevisionForm):
    """The sign-off of a defect, which may put its vehicle back on the road at once."""

    returns = BooleanField()


class NoteDefectForm(FileForm):
    """A note on a defect."""

    text = form_field(own.NOTE_TEXT)
    files = FilesField("Photos or PDF", accept=ACCEPTED)


@inputs_of(ClosingChoice)
class CloseDefectForm(RevisionForm):
    """Why a defect is closed without a repair."""

    duplicate_of = ParsedField("The same as", parse_defect_number)

    def values(self, **others: Any) -> Any:
        """Return the closing, without the values of another way to close it."""
        values: ClosingChoice = super().values(**others)
        return replace(
            values,
            duplicate_of=values.duplicate_of if values.closing is Closing.DUPLICATE else None,
            accepted_until=values.accepted_until if values.closing is Closing.ACCEPTED else None,
        )


class _OffRoadForm(Form):
    # The service checks the reason: a time that a defect began keeps its own.
    reason = form_field(
        off_road.REASON,
        default=OffRoadReason.OTHER,
        choices=[SelectChoice(reason.value, reason.label) for reason in off_road.CHOSEN_REASONS],
    )
    detail = form_field(
        off_road.DETAIL,
        description="Shown on the board and in the vehicle’s file (optional).",
        render_kw={"rows": 3},
    )
    expected_back = form_field(off_road.EXPECTED_BACK, description="Optional.")


class TakeOffRoadForm(_OffRoadForm):
    """A vehicle that is taken off the road by hand."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)


class ChangeOffRoadForm(_OffRoadForm, RevisionForm):
    """Another reason, detail or expected return; a defect's reason stays while it is chosen."""

    def keep_reason(self, reason: OffRoadReason) -> None:
        """Offer the reason that a time off the road has, whichever that is."""
        if reason not in off_road.CHOSEN_REASONS:
            choice = SelectChoice(reason.value, reason.label)
            self.reason.choices = [choice, *self.reason.choices]


class ReturnForm(Form):
    """The sign-off that puts a vehicle back on the road."""

    note = form_field(off_road.NOTE)
    override_reason = form_field(off_road.OVERRIDE_REASON)

    def refuse(self, error: QuartermasterError) -> None:
        """Attach an error; a missing reason is also named at its field, if that is displayed."""
        super().refuse(error)
        if isinstance(error, off_road.NotRoadworthy) and self.override_reason.raw_data:
            self.override_reason.errors = ["Give a reason to put it back all the same."]


class DefectsField(wtforms.Field):
    """The ticks of mended defects; its data are their numbers."""

    data: Sequence[int]

    def process_formdata(self, valuelist: list[str]) -> None:
        """Read the numbers, each once."""
        numbers = (int(text) for text in valuelist if text.isascii() and text.isdecimal())
        self.data = [number for number in dict.fromkeys(numbers) if number <= MAX_ID]


def _stores() -> Mapping[str, Store]:
    stores = (store for store in STORES if rights.works_in(store.division))
    return {f"{store.division}-{store.site}": store for store in stores}


class PartForm(wtforms.Form):
    """A part from a stock in which the user may work; a row without an item is ignored."""

    store = SelectField(
        "From",
        choices=lambda: [SelectChoice(value, str(store)) for value, store in _stores().items()],
        validate_choice=False,
    )
    item = form_field(replace(NAME, label="Part", required=None))
    quantity = form_field(replace(QUANTITY, label="Number"))

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields of a row that isn't empty."""
        if super().validate(extra_validators):
            return True
        if not self.item.data and not self.item.errors:
            self.quantity.errors = []
            return True
        return False


@inputs_of(own.RepairValues)
class RepairForm(FileForm):
    """A repair of one vehicle."""

    reg = ParsedField("Vehicle", clean_plate, required=PLATE_REQUIRED)
    defects = DefectsField("Mended", default=())
    garage = form_field(own.GARAGE, existing=lambda _: garages())
    stock_parts = FieldList(FormField(PartForm), min_entries=2, max_entries=own.MAX_PARTS)
    files = FilesField("Photos or PDF", accept=ACCEPTED)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.stores = _stores()
        self.is_draft = self.is_submitted() and "add_part" in request.form
        if self.is_draft:
            self.validate()
            if len(self.stock_parts) < own.MAX_PARTS:
                self.stock_parts.append_entry()

    def propose(self, waiting: Sequence[Defect]) -> None:
        """Start with a vehicle's likely mended defects, the worst first, and their garage."""
        sent = [*request.args.getlist("defects"), *request.args.getlist("defect")]
        self.defects.process_formdata(sent)
        self.defects.data, self.garage.data = propose_repair(waiting, chosen=self.defects.data)

    def values(self, **others: Any) -> Any:
        """Return the submitted repair."""
        parts = [self._part(part) for part in self._filled()]
        return super().values(stock_parts=parts, **others)

    def refuse(self, error: QuartermasterError) -> None:
        """Attach a service's error to its fields: it may name several parts."""
        named = {f"stock_parts.{index}.item": part for index, part in enumerate(self._filled())}
        named["stock_parts"] = self.stock_parts[0].form
        at_parts = named.keys() & error.fields.keys()
        for name in at_parts:
            named[name].item.errors = [error.fields[name]]
        if at_parts:
            self.refusal = error
        else:
            super().refuse(error)

    def problems(self) -> list[tuple[str | None, str]]:
        """Return the errors as (field id or None, message), a part's errors at its fields."""
        found = [problem for problem in super().problems() if problem[0] != self.stock_parts.id]
        for part in self.stock_parts:
            found += [(field.id, str(text)) for field in part.form for text in field.errors]
        return found

    def _filled(self) -> list[PartForm]:
        return [part.form for part in self.stock_parts if part.form.item.data]

    def _part(self, part: PartForm) -> own.StockPart:
        store = self.stores.get(part.store.data)
        if store is None:
            raise Invalid("Choose a stock that you may change.", "stock_parts")
        return own.StockPart(store, part.item.data, part.quantity.data)
