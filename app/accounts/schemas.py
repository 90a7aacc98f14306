"""What API clients send and get of sign-in, tokens and passwords (seed §7)."""

from typing import Any

from marshmallow import ValidationError, fields

from app.accounts import rules
from app.accounts.models import GrantKind, User
from app.accounts.services.tokens import Tokens
from app.api.calls import Body, Reply
from app.divisions import Division

LONGEST_TOKEN = 400


class Secret(fields.String):
    """A text that is compared and never shown: any characters but U+0000, up to `limit`."""

    def __init__(self, *, limit: int, **metadata: Any) -> None:
        described = {"maxLength": limit, "pattern": r"^[^\x00]*$"}
        super().__init__(required=True, metadata={**described, **metadata})
        self.limit = limit

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        if len(text) > self.limit:
            raise ValidationError(f"Longer than {self.limit} characters.")
        if "\0" in text:
            raise ValidationError("Must not hold U+0000.")
        return text


class LoginBody(Body):
    """A username and its password."""

    username = Secret(limit=rules.LONGEST_USERNAME, example="keeper")
    password = Secret(limit=rules.LONGEST_PASSWORD)


class RefreshBody(Body):
    """The refresh token that was given last."""

    refreshToken = Secret(limit=LONGEST_TOKEN)  # noqa: N815 (the seed's name)


class ChangePasswordBody(Body):
    """The password that holds, and the one that shall."""

    oldPassword = Secret(limit=rules.LONGEST_PASSWORD)  # noqa: N815 (the seed's name)
    newPassword = Secret(  # noqa: N815 (the seed's name)
        limit=rules.LONGEST_PASSWORD, minLength=rules.SHORTEST_PASSWORD
    )


class UserReply(Reply):
    """Who is signed in, and what is open to them."""

    username = fields.String(metadata={"example": "keeper"})
    permissions = fields.List(fields.String(), metadata={"example": ["GFM", "Fleet"]})
    scopes = fields.List(fields.String(), metadata={"example": ["gfm:read"]})


class TokensReply(Reply):
    """Tokens: one for access, one to renew it once."""

    accessToken = fields.String()  # noqa: N815 (the seed's name)
    refreshToken = fields.String()  # noqa: N815 (the seed's name)


class LoginReply(TokensReply):
    """Tokens, and whose they are."""

    user = fields.Nested(UserReply)


def tokens_json(tokens: Tokens) -> dict[str, Any]:
    """Return tokens under the seed's names."""
    return {"accessToken": tokens.access, "refreshToken": tokens.refresh}


def user_json(user: User) -> dict[str, Any]:
    """Return an account under the seed's names; permissions as people read them (design §5)."""
    granted = {value.casefold() for value in user.granted(GrantKind.PERMISSION)}
    return {
        "username": user.username,
        "permissions": [division.label for division in Division if division in granted],
        "scopes": user.granted(GrantKind.SCOPE),
    }
