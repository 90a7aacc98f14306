"""What API clients send and get of sign-in, tokens and passwords (seed §7)."""

from typing import Any

from marshmallow import fields

from app.accounts import rules
from app.accounts.models import GrantKind, User
from app.accounts.services.tokens import Tokens
from app.divisions import Division
from app.web.api import Body, Reply


class LoginBody(Body):
    """A username and its password."""

    username = fields.String(required=True, metadata={"example": "keeper"})
    password = fields.String(required=True, metadata={"example": "correct horse battery"})


class RefreshBody(Body):
    """The refresh token that was given last."""

    refreshToken = fields.String(required=True)  # noqa: N815 (the seed's name)


class ChangePasswordBody(Body):
    """The password that holds, and the one that shall."""

    oldPassword = fields.String(required=True)  # noqa: N815 (the seed's name)
    newPassword = fields.String(  # noqa: N815 (the seed's name)
        required=True,
        metadata={"minLength": rules.SHORTEST_PASSWORD, "maxLength": rules.LONGEST_PASSWORD},
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
