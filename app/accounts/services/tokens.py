"""Tokens of API clients: short ones for access, and refresh tokens that follow each other."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

from app import dates
from app.accounts import queries, rules
from app.accounts.models import LoginSession
from app.accounts.rules import Rotation
from app.accounts.services.sessions import close_session
from app.accounts.services.users import existing_user
from app.errors import Invalid, NotFound, SignInRequired
from app.web.access import SignedInUser


@dataclass(frozen=True)
class Tokens:
    """What an API client is given: a token for access, and one to renew it."""

    access: str
    refresh: str


@dataclass(frozen=True)
class RefreshToken:
    """What a refresh token that we have signed says: which of a session's it is."""

    session_id: str
    generation: int


class TokenRefused(SignInRequired):
    """The token is none of ours, has run out, or was revoked."""

    def __init__(self) -> None:
        super().__init__("The token has run out or was revoked. Sign in again.")


def tokens_of(login: LoginSession) -> Tokens:
    """Return the present tokens of a session; a refresh token of one generation is always one."""
    issued = int(dates.utc_now().timestamp())
    return Tokens(
        access=_signer("access").dumps([login.id, issued]),
        refresh=_signer("refresh").dumps([login.id, login.generation]),
    )


def read_refresh_token(token: str) -> RefreshToken:
    """Return what a refresh token says, without the database; raises TokenRefused."""
    return RefreshToken(*_read("refresh", token))


def rotate(shown: RefreshToken) -> Tokens | None:
    """Return the successors of a refresh token, None when it was used before.

    None has ended its session: keep the transaction and refuse the caller. Raises TokenRefused.
    """
    login = queries.held_api_session(shown.session_id)
    if login is None:
        raise TokenRefused
    now = dates.utc_now()
    rotated_at = login.rotated_at or login.created_at
    judged = rules.rotation(shown.generation, login.generation, rotated_at, now)
    if judged is Rotation.REUSED:
        close_session(login.id)
        return None
    if judged is Rotation.NEXT:
        login.generation += 1
        login.rotated_at = login.renewed_at = now
        login.expires_at = now + rules.REFRESH_TOKEN_LASTS
    return tokens_of(login)


def bearer(access_token: str) -> SignedInUser | None:
    """Return the user of an access token, None when it is none of ours or was revoked.

    Its access ends as the token's time does.
    """
    try:
        session_id, issued = _read("access", access_token)
    except TokenRefused:
        return None
    user = queries.signed_in(session_id, is_api=True)
    return user and replace(user, renewed_at=datetime.fromtimestamp(issued, UTC))


def revoke_tokens(beginning: str) -> None:
    """End the API client's session whose id begins so; raises NotFound and Invalid."""
    found = [s for s in queries.api_sessions() if beginning and s.id.startswith(beginning)]
    if not found:
        raise NotFound(f'No tokens begin with "{beginning}"')
    if len(found) > 1:
        raise Invalid(f'{len(found)} sessions begin with "{beginning}"; write more of it')
    close_session(found[0].id)


def revoke_all_tokens(username: str) -> int:
    """End every API client's session of a user; return how many there were."""
    existing_user(username)
    found = queries.api_sessions(username)
    for session in found:
        close_session(session.id)
    return len(found)


def _signer(kind: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"quartermaster-{kind}-token")


def _read(kind: str, token: str) -> tuple[str, int]:
    try:
        session_id, number = _signer(kind).loads(token)
    except (BadData, ValueError, TypeError):
        raise TokenRefused from None
    return session_id, number
