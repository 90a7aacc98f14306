"""Sign-in of API clients: tokens, their renewal and end, and the password (seed §7)."""

from typing import Any

from flask import request

from app.accounts import queries, rules, schemas
from app.accounts.models import User
from app.accounts.services import sessions, tokens, users
from app.accounts.services.tokens import TokenRefused
from app.api.calls import Blueprint
from app.api.description import raises
from app.db import transaction
from app.errors import SignInRequired, Throttled, rename_fields
from app.web import access

bp = Blueprint("auth", "Sign-in", "Sign in, renew access, sign out.", url_prefix="/api/auth")


def blueprints() -> list[Blueprint]:
    """Return the calls under /api/auth."""
    return [bp]


@bp.route("/login", methods=["POST"])
@access.public
@bp.arguments(schemas.LoginBody)
@bp.response(200, schemas.LoginReply)
@raises(SignInRequired, Throttled)
def login(body: dict[str, str]) -> dict[str, Any]:
    """Sign in; access lasts 30 minutes, the refresh token 30 days."""
    proved = _prove(body["username"], body["password"])
    if proved is None:
        raise SignInRequired("Invalid credentials")
    address = rules.counted_address(request.remote_addr)
    with transaction():
        opened = sessions.open_session(proved, body["password"], address, is_api=True)
        given = tokens.tokens_of(opened)
        user = schemas.user_json(queries.user(opened.user_id))
    return {**schemas.tokens_json(given), "user": user}


@bp.route("/refresh", methods=["POST"])
@access.public
@bp.arguments(schemas.RefreshBody)
@bp.response(200, schemas.TokensReply)
@raises(SignInRequired)
def refresh(body: dict[str, str]) -> dict[str, Any]:
    """Renew access; the refresh token is replaced too, and one that is used again ends them all.

    Within 60 seconds the same successor can be had again, since a reply may get lost.
    """
    # Who shows nothing of ours takes no lock.
    shown = tokens.read_refresh_token(body["refreshToken"])
    with transaction():
        given = tokens.rotate(shown)
    if given is None:
        raise TokenRefused
    return schemas.tokens_json(given)


@bp.route("/change-password", methods=["POST"])
@access.signed_in
@bp.arguments(schemas.ChangePasswordBody)
@bp.response(204)
@raises(Throttled)
def change_password(body: dict[str, str]) -> None:
    """Change the password; that ends every session and token of the account."""
    old, new = body["oldPassword"], body["newPassword"]
    with rename_fields({"current": "oldPassword", "new": "newPassword"}):
        users.check_change(old, new)
        proved = _prove(access.current_user().username, old)
        if proved is None:
            raise users.WrongCurrentPassword
        with transaction():
            users.change_password(proved, new, rules.counted_address(request.remote_addr))


@bp.route("/logout", methods=["POST"])
@access.renewable
@bp.response(204)
def logout() -> None:
    """End this session; its tokens work no more."""
    with transaction():
        sessions.close_session(access.current_user().session_id)


def _prove(username: str, password: str) -> User | None:
    """Return the account whose password this is; a wrong one is counted."""
    address = rules.counted_address(request.remote_addr)
    proved = sessions.authenticate(username, password, address)
    if proved is None:
        with transaction():
            sessions.record_failure(rules.counted_account(username), address)
    return proved
