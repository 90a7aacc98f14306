"""Tokens of API clients: short-lived access tokens, and refresh tokens that are rotated."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

from app import dates
from app.accounts import queries, rules
from app.accounts.models import LoginSession
from app.accounts.rules import Rotation
from app.accounts.services.sessions import close_session
from app.accounts.services.users import get_user
from app.audit.rules import Event
from app.errors import ErrorCode, Invalid, NotFound, SignInRequired
from app.identity import SignedInUser


@dataclass(frozen=True)
class Tokens:
    """An API client's access token, and the refresh token that renews it."""

    access: str
    refresh: str


class LoginRefused(SignInRequired):
    """The username or password of an API client is wrong."""

    code = ErrorCode.INVALID_CREDENTIALS
    message = "Invalid credentials"


class TokenRefused(SignInRequired):
    """The token is not one of ours, has expired or was revoked."""

    message = "The token has expired or was revoked. Sign in again."


def issue_tokens(login: LoginSession) -> Tokens:
    """Return the current tokens of a session; one generation's refresh token is always the same."""
    issued = int(dates.utc_now().timestamp())
    # The last release would let such tokens change things; the mark makes it refuse them.
    mark = ["read"] if login.is_read_only else []
    return Tokens(
        access=_serializer("access").dumps([login.id, issued, *mark]),
        refresh=_serializer("refresh").dumps([login.id, login.generation, *mark]),
    )


def rotate(session_id: str, generation: int) -> Tokens | None:
    """Return the successors of a session's refresh token; None when it was used before.

    A token that is used again ends its session: commit the transaction and refuse the caller.
    Raises TokenRefused when the session has ended.
    """
    login = queries.lock_api_session(session_id)
    if login is None:
        raise TokenRefused
    now = dates.utc_now()
    rotated_at = login.rotated_at or login.created_at
    rotation = rules.judge_rotation(generation, login.generation, rotated_at, now)
    if rotation is Rotation.REUSED:
        close_session(login.id, event=Event.TOKEN_REUSE)
        return None
    if rotation is Rotation.NEXT:
        login.generation += 1
        login.rotated_at = login.renewed_at = now
        login.expires_at = now + rules.REFRESH_TOKEN_LIFETIME
    return issue_tokens(login)


def user_of_access_token(access_token: str) -> SignedInUser | None:
    """Return the user of an access token, None when it is not one of ours or was revoked.

    Access ends 30 minutes after the token was issued.
    """
    try:
        session_id, issued = parse("access", access_token)
    except TokenRefused:
        return None
    user = queries.signed_in_user(session_id, is_api=True)
    return user and replace(user, renewed_at=datetime.fromtimestamp(issued, UTC))


def revoke_tokens(id_prefix: str) -> None:
    """End the API client's session whose id starts with a prefix.

    Raises NotFound, and Invalid when several sessions match.
    """
    matches = [s for s in queries.api_sessions() if id_prefix and s.id.startswith(id_prefix)]
    if not matches:
        raise NotFound(f'No tokens begin with "{id_prefix}"')
    if len(matches) > 1:
        raise Invalid(f'{len(matches)} sessions begin with "{id_prefix}"; type more of the ID')
    close_session(matches[0].id, event=Event.TOKEN_REVOCATION)


def revoke_all_tokens(username: str) -> int:
    """End every API client's session of a user and return their number; raises NotFound."""
    get_user(username)
    live = queries.api_sessions(username)
    for session in live:
        close_session(session.id, event=Event.TOKEN_REVOCATION)
    return len(live)


def _serializer(kind: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"quartermaster-{kind}-token")


def parse(kind: str, token: str) -> tuple[str, int]:
    """Return the session and the number of an 'access' or 'refresh' token; raises TokenRefused."""
    try:
        session_id, number, *_ = _serializer(kind).loads(token)
    except (BadData, ValueError, TypeError):
        raise TokenRefused from None
    return session_id, number
