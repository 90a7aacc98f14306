"""The forms of the fleet: shape only, the rules judge what they mean."""

from app.fleet.rules.checks import LONGEST_REMARK
from app.web.forms import Form, TextField


class ReviewForm(Form):
    """What somebody remarks who has looked at a check."""

    remark = TextField("Remark", limit=LONGEST_REMARK)
