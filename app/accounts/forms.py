"""Forms of sign-in and password change; passwords are taken exactly as typed."""

from typing import Any

from wtforms import PasswordField, StringField

from app.accounts.services import users
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
        """Check the current and the new password before its confirmation."""
        valid: bool = super().validate(extra_validators)
        try:
            users.check_change(self.current.data, self.new.data)
        except Invalid as error:
            self.refuse(error)
            return False
        if self.new.data != self.confirm.data:
            self.refuse(Invalid("New passwords do not match.", "confirm"))
            return False
        return valid
