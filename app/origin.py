"""The user and channel of a change: of a request, or of a command without one."""

from flask import g, has_request_context, request

from app.identity import Channel, SignedInUser


def is_api_path() -> bool:
    """Return whether the URL is below /api, whether or not a route exists."""
    return request.path == "/api" or request.path.startswith("/api/")


def request_origin() -> tuple[Channel, int | None]:
    """Return the current channel, and its user: None for a stranger and the terminal."""
    if not has_request_context():
        return Channel.TERMINAL, None
    user: SignedInUser | None = g.get("user")
    channel = Channel.API if is_api_path() else Channel.SCREEN
    return channel, None if user is None else user.user_id
