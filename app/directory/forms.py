"""Forms of teams, services and keys."""

from dataclasses import replace
from typing import Any

from wtforms import Field, HiddenField, ValidationError
from wtforms.validators import InputRequired

from app.directory import queries
from app.directory.rules import HOLDER, NAME
from app.web.form_fields import form_field
from app.web.forms import Form


def _name(label: str) -> Field:
    return form_field(replace(NAME, label=label, what=label, required=f"{label} is required"))


class AddTeamForm(Form):
    """Name of a new team."""

    name = _name("New team name")


class RenameForm(Form):
    """The current name of a team or service, and its new one."""

    old_name = HiddenField("Current name", [InputRequired("Current name is required")])
    new_name = _name("New name")


class ReturnKeyForm(Form):
    """The confirmation that a key is back, with its holder when the form was opened."""

    holder_before = HiddenField()

    def values(self, **_: Any) -> dict[str, Any]:
        """Return who had the key."""
        return {"holder_before": self.holder_before.data or ""}

    def rebase(self, row: Any) -> None:
        """Base the form on who has the key now."""
        self.holder_before.data = row.holder


class HandOverForm(ReturnKeyForm):
    """Who gets a key: a name, or one of the last holders by its button."""

    holder = form_field(
        replace(HOLDER, label="Who gets it"), existing=lambda _: queries.holder_names()
    )
    recent = form_field(replace(HOLDER, name="recent", label="Last holders"))

    def values(self, **_: Any) -> dict[str, Any]:
        """Return who gets the key, and who had it."""
        return super().values() | {"holder": self.recent.data or self.holder.data}

    def validate_holder(self, field: Any) -> None:
        """Refuse a handover to nobody."""
        if not (field.errors or self.recent.errors or field.data or self.recent.data):
            raise ValidationError("Enter who gets the key")
