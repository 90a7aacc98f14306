"""The form of a plan."""

from typing import Any

from wtforms import HiddenField, SelectField
from wtforms.widgets import TextArea

from app.fleet.rules.plates import plate_key
from app.upkeep.forms.due import KIND_LABELS, choice_of, parse_regs
from app.upkeep.rules import due_fields as fields
from app.upkeep.rules.due_kinds import ANCHOR_LABELS, BLOCKS_LABELS
from app.upkeep.rules.kinds import Anchor, Applies, Blocks, DueKind
from app.upkeep.rules.plans import PlanDraft
from app.web.form_fields import HiddenNumberField, ParsedField, form_field
from app.web.forms import Form

APPLIES_LABELS = {
    Applies.ALL: "All vehicles",
    Applies.CLASSIFICATION: "A classification",
    Applies.VEHICLES: "Chosen vehicles",
}


class PlanForm(Form):
    """A plan; `confirmed` names the effects that its editor was shown."""

    label = form_field(fields.PLAN_LABEL)
    kind = SelectField("Kind", **choice_of(DueKind, KIND_LABELS))
    applies = SelectField("For", **choice_of(Applies, APPLIES_LABELS))
    classification = form_field(fields.CLASSIFICATION)
    regs = ParsedField("Chosen vehicles", parse_regs, empty=[], widget=TextArea(), format=", ".join)
    every_months = form_field(fields.EVERY_MONTHS)
    every_days = form_field(fields.EVERY_DAYS)
    every_miles = form_field(fields.EVERY_MILES)
    anchor = SelectField("Counted", **choice_of(Anchor, dict(ANCHOR_LABELS)))
    early_window_days = form_field(fields.EARLY_WINDOW)
    soon_days = form_field(fields.SOON_DAYS)
    soon_miles = form_field(fields.SOON_MILES)
    blocks = SelectField(
        "Overdue means", **choice_of(Blocks, dict(BLOCKS_LABELS)), default=Blocks.WARN
    )
    first_due_on = form_field(fields.FIRST_DUE)
    confirmed = HiddenField()
    revision = HiddenNumberField()

    def fill(self, draft: PlanDraft) -> None:
        """Fill in the values of a plan."""
        for name, value in vars(draft).items():
            if name in self:
                self[name].data = value
        self.regs.data = list(draft.regs.values())

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the plan as it is typed, and what was confirmed."""
        values: dict[str, Any] = {
            name: self[name].data for name in PlanDraft.__dataclass_fields__ if name != "regs"
        }
        regs = {plate_key(reg): reg for reg in self.regs.data or []}
        draft = PlanDraft(**values, regs=regs)
        return {"draft": draft, "confirmed": self.confirmed.data or ""}
