"""JSON bodies and replies of sign-in, tokens and password change."""

from typing import Any

from marshmallow import fields, validate

from app.accounts import rules
from app.accounts.models import GrantKind
from app.api import replies
from app.api.replies import Reply
from app.api.schemas import Body


def secret(*, limit: int, **metadata: Any) -> fields.String:
    """Return the field of a secret text of up to `limit` characters, any except U+0000."""
    checks = [
        validate.Length(max=limit, error="Longer than {max} characters."),
        validate.Regexp(r"^[^\x00]*$", error="Must not hold U+0000."),
    ]
    return fields.String(required=True, validate=checks, metadata=metadata)


class LoginBody(Body):
    """Username and password, and whether the tokens may change anything."""

    username = secret(limit=rules.MAX_USERNAME_LENGTH, example="keeper")
    password = secret(limit=rules.MAX_PASSWORD_LENGTH, example="correct horse battery")
    access = fields.Enum(
        rules.Access,
        by_value=True,
        load_default=rules.Access.WRITE,
        metadata={
            "description": "With `read` every call that changes something is refused with 403 and "
            "the code `read_only`.",
            "example": "write",
        },
    )


class RefreshBody(Body):
    """The latest refresh token."""

    refresh_token = secret(limit=400, example="WyJ2Qm…")


class ChangePasswordBody(Body):
    """Current and new password."""

    old_password = secret(limit=rules.MAX_PASSWORD_LENGTH, example="correct horse battery")
    new_password = secret(
        limit=rules.MAX_PASSWORD_LENGTH,
        minLength=rules.MIN_PASSWORD_LENGTH,
        example="a long and new password",
    )


class UserReply(Reply):
    """The signed-in user and what they may do."""

    username = replies.text("keeper")
    permissions = replies.texts(
        ["GFM", "Fleet"], lambda user: [division.label for division in user.granted_roles()]
    )
    scopes = replies.texts(["gfm:read"], lambda user: user.granted(GrantKind.SCOPE))


class TokensReply(Reply):
    """An access token, and a refresh token that renews it once."""

    access_token = replies.text("WyJ2Qm…", "access")
    refresh_token = replies.text("WyJ2Qm…", "refresh")


class LoginReply(TokensReply):
    """Tokens and their user."""

    user = replies.nested(UserReply)
