"""Sign-in of API clients: tokens, their renewal and end, and the password."""

from typing import Any

from flask import request

from app.accounts import queries, schemas
from app.accounts.rules import Access
from app.accounts.services import sessions, tokens, users
from app.accounts.services.tokens import LoginRefused, TokenRefused
from app.api.blueprint import Blueprint, raises
from app.api.fields import rename_fields
from app.api.openapi import Api
from app.db import transaction
from app.errors import SignInRequired, Throttled
from app.web import access
from app.web.access import current_user

bp = Blueprint("auth", "Sign-in", "Sign in, renew access, sign out.", url_prefix="/api/auth")


def register_calls(api: Api) -> None:
    """Serve the calls under /api/auth."""
    api.register_blueprint(bp)


@bp.route("/login", methods=["POST"])
@access.public
@bp.arguments(schemas.LoginBody)
@bp.response(200, schemas.LoginReply)
@raises(SignInRequired, Throttled)
def login(body: dict[str, Any]) -> dict[str, Any]:
    """Sign in; access lasts 30 minutes, the refresh token 30 days.

    With `"access": "read"` the tokens, also those that follow by refresh, read and change nothing.
    """
    attempt = sessions.authenticate(body["username"], body["password"], request.remote_addr)
    with transaction():
        session = sessions.open_session(
            attempt, is_api=True, is_read_only=body["access"] is Access.READ
        )
        if session:
            user = queries.user(session.user_id)
            return schemas.LoginReply.write(tokens.issue_tokens(session), user=user)
    raise LoginRefused


@bp.route("/refresh", methods=["POST"])
@access.public
@bp.arguments(schemas.RefreshBody)
@bp.response(200, schemas.TokensReply)
@raises(SignInRequired)
def refresh(body: dict[str, str]) -> dict[str, Any]:
    """Renew access and replace the refresh token; using a replaced one ends the session.

    Within 60 seconds the same new token is returned again, since a reply may get lost.
    """
    # Parsed outside the transaction: a token that we haven't signed takes no lock.
    session_id, generation = tokens.parse("refresh", body["refresh_token"])
    with transaction():
        successors = tokens.rotate(session_id, generation)
    if successors is None:
        raise TokenRefused
    return schemas.TokensReply.write(successors)


@bp.route("/change-password", methods=["POST"])
@access.signed_in
@bp.arguments(schemas.ChangePasswordBody)
@bp.response(204)
@raises(Throttled)
def change_password(body: dict[str, str]) -> None:
    """Change the password; this ends every session and token of the account."""
    old, new = body["old_password"], body["new_password"]
    with rename_fields({"current": "oldPassword", "new": "newPassword"}):
        users.check_change(old, new)
        user = current_user()
        attempt = sessions.authenticate(
            user.username, old, request.remote_addr, session_id=user.session_id
        )
        with transaction():
            changed = users.change_password(attempt, new)
        if changed is None:
            raise users.WrongCurrentPassword


@bp.route("/logout", methods=["POST"])
@access.renewable
@bp.response(204)
def logout() -> None:
    """End this session; its tokens stop working."""
    with transaction():
        sessions.close_session(current_user().session_id)
