"""The forms of saved views."""

from app.fields import Flag
from app.views.rules import DIVISION, NAME, ViewState
from app.web.form_fields import RevisionForm, form_field, inputs_of
from app.web.forms import Form


@inputs_of(ViewState)
class SaveViewForm(Form):
    """The name of a new view, and who sees it."""


class EditViewForm(RevisionForm):
    """Another name of a view, or other people; whoever starts with it is asked about."""

    name = form_field(NAME)
    division = form_field(DIVISION)
    confirmed = form_field(Flag(name="confirmed", label="Take it from everybody else"))


class ChooseViewForm(Form):
    """Where a person sees a view."""

    is_default = form_field(Flag(name="is_default", label="The list opens with it"))
    is_starred = form_field(Flag(name="is_starred", label="On my dashboard"))
