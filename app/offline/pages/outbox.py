"""The page of unsent changes."""

from flask import Blueprint, render_template

from app.offline.schemas import OutboxProps
from app.web import access
from app.web.access import current_user

bp = Blueprint("outbox", __name__)


@bp.get("/outbox")
@access.signed_in
def show() -> str:
    """Show the changes that wait in this browser; the browser alone knows them."""
    user = current_user()
    props = OutboxProps().dump({"user": user.user_id, "username": user.username})
    return render_template("offline/outbox.html", props=props)
