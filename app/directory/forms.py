"""Forms of the teams page."""

from collections.abc import Sequence

from wtforms import SelectChoice, SelectField
from wtforms.validators import InputRequired

from app.directory.rules import MAX_NAME_LENGTH
from app.web.form_fields import TextField
from app.web.forms import Form


class AddTeamForm(Form):
    """Name of a new team."""

    name = TextField("New team name", limit=MAX_NAME_LENGTH, required="New team name is required")


class RenameTeamForm(Form):
    """A team, and its new name."""

    old_name = SelectField(
        "Current name",
        validate_choice=False,
        validators=[InputRequired("Current name is required")],
    )
    new_name = TextField("New name", limit=MAX_NAME_LENGTH, required="New name is required")

    def set_teams(self, teams: Sequence[str]) -> None:
        """Set the teams to choose from."""
        self.old_name.choices = [
            SelectChoice("", "Choose a team"),
            *(SelectChoice(team, team) for team in teams),
        ]
