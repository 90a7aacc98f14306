"""Tell a signed-in caller that the server is there (design §5)."""

from typing import Any

from marshmallow import fields

from app import dates
from app.api.calls import Blueprint, Reply
from app.web import access

bp = Blueprint("ping", "Server", "Is the server there?", url_prefix="/api")


class Pong(Reply):
    """That the server is there, and its time."""

    ok = fields.Boolean()
    time = fields.AwareDateTime()


@bp.route("/ping", methods=["GET"])
@access.signed_in
@bp.response(200, Pong)
def ping() -> dict[str, Any]:
    """Answer with the server's time in UTC; the login session has to be alive."""
    return {"ok": True, "time": dates.utc_now()}


def blueprints() -> list[Blueprint]:
    """Return the call under /api."""
    return [bp]
