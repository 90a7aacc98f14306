"""The form of a plan."""

from typing import Any

from wtforms import HiddenField
from wtforms.widgets import TextArea

from app.fleet.rules.plates import plate_key
from app.upkeep.forms.due import parse_regs
from app.upkeep.rules.plans import PlanDraft
from app.web.form_fields import HiddenNumberField, ParsedField, inputs_of
from app.web.forms import Form


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
