"""The forms of sign-in and password change; passwords are taken exactly as typed."""

from typing import Any

from wtforms import PasswordField, StringField

from app.errors import Invalid
from app.web.forms import BaseForm, Form


class LoginForm(BaseForm):
    """Username and password."""

    username = StringField("Username")
    password = PasswordField("Password")


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
        if self.new.data == self.current.data:
            self.refuse(Invalid("The new password must be another one.", "new"))
            return False
        return valid
