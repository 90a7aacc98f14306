"""The forms of sign-in and password change; passwords are taken exactly as typed."""

from typing import Any

from flask_wtf import FlaskForm
from wtforms import PasswordField, StringField

from app.errors import Invalid
from app.web.forms import Form


class LoginForm(FlaskForm):
    """Username and password."""

    username = StringField("Username")
    password = PasswordField("Password")

    def problems(self) -> list[tuple[str | None, str]]:
        """List what is wrong, above the form."""
        return [(None, str(message)) for message in self.form_errors]


class ChangePasswordForm(Form):
    """Current password, and the new one twice."""

    current = PasswordField("Current password")
    new = PasswordField("New password")
    confirm = PasswordField("Confirm new password")

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for the current and the new password first (seed §5)."""
        valid: bool = super().validate(extra_validators)
        if not self.current.data or not self.new.data:
            first = "new" if self.current.data else "current"
            self.refuse(Invalid("Please fill in all fields.", first))
            return False
        if self.new.data != self.confirm.data:
            self.refuse(Invalid("New passwords do not match.", "confirm"))
            return False
        return valid
