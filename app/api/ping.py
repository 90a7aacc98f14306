"""A call that tells whether the server is there and the session is alive."""

from typing import Any

from marshmallow import fields

from app import dates
from app.api import replies
from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.api.replies import Reply
from app.web import access

bp = Blueprint("ping", "Server", "Is the server there?", url_prefix="/api")


class Pong(Reply):
    """The server is there, and this is its time."""

    ok = replies.flag(True)
    time = fields.AwareDateTime(metadata={"example": "2026-01-15T12:50:00+00:00"})


def register_calls(api: Api) -> None:
    """Serve the call under /api."""
    api.register_blueprint(bp)


@bp.route("/ping", methods=["GET"])
@access.signed_in
@bp.response(200, Pong)
def ping() -> dict[str, Any]:
    """Return the server's time in UTC; the session must be alive."""
    return {"ok": True, "time": dates.utc_now()}
