"""The forms of the teams page: shape only."""

from collections.abc import Sequence

from wtforms import SelectChoice, SelectField
from wtforms.validators import InputRequired

from app.directory.rules import LONGEST_NAME
from app.web.form_fields import TextField
from app.web.forms import Form


class AddTeamForm(Form):
    """A team that is new."""

    name = TextField("New team name", limit=LONGEST_NAME, required="New team name is required")


class RenameTeamForm(Form):
    """Another name for a team."""

    old_name = SelectField(
        "Current name",
        validate_choice=False,
        validators=[InputRequired("Current name is required")],
    )
    new_name = TextField("New name", limit=LONGEST_NAME, required="New name is required")

    def offer(self, teams: Sequence[str]) -> None:
        """Offer these teams to choose from."""
        self.old_name.choices = [
            SelectChoice("", "Choose a team"),
            *(SelectChoice(team, team) for team in teams),
        ]
