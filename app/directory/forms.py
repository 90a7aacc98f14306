"""Forms of the teams page."""

from collections.abc import Sequence
from dataclasses import replace

from wtforms import SelectChoice, SelectField
from wtforms.validators import InputRequired

from app.directory.rules import NAME
from app.web.form_fields import form_field
from app.web.forms import Form

_NEW_TEAM = replace(
    NAME, label="New team name", what="New team name", required="New team name is required"
)
_NEW_NAME = replace(
    NAME, name="new_name", label="New name", what="New name", required="New name is required"
)


class AddTeamForm(Form):
    """Name of a new team."""

    name = form_field(_NEW_TEAM)


class RenameTeamForm(Form):
    """A team, and its new name."""

    old_name = SelectField(
        "Current name",
        validate_choice=False,
        validators=[InputRequired("Current name is required")],
    )
    new_name = form_field(_NEW_NAME)

    def set_teams(self, teams: Sequence[str]) -> None:
        """Set the teams to choose from."""
        self.old_name.choices = [
            SelectChoice("", "Choose a team"),
            *(SelectChoice(team, team) for team in teams),
        ]
