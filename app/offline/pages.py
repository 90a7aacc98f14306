"""The service worker, the page that it shows without a connection, the manifest, and the outbox.

All but the outbox are public: a browser asks for them outside of any login session.
"""

from flask import Blueprint, Response, current_app, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue

from app.api import replies
from app.api.schemas import WidgetProps
from app.config import Settings
from app.web import access, caching
from app.web.access import current_user
from app.web.bundles import BundleUrls

bp = Blueprint("offline", __name__)
outbox = Blueprint("outbox", __name__)

BLUEPRINTS = (bp, outbox)

SURFACE, ACCENT = "#f4f6f8", "#0b57a4"
"""The colours of the app's start screen and of its title bar."""

ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable-512", 512, "maskable"))
"""The icons: name of the file, size in pixels, and what each is for."""


@bp.app_context_processor
def page_values() -> dict[str, bool]:
    """Let pages prepare the browser for work without a connection, unless that is switched off."""
    settings: Settings = current_app.config["QUARTERMASTER"]
    return {"works_offline": settings.offline}


@bp.get("/sw.js")
@access.public
def worker() -> ResponseReturnValue:
    """Send the service worker, or with OFFLINE=off a worker that removes itself."""
    settings: Settings = current_app.config["QUARTERMASTER"]
    if unchanged := caching.not_modified_since_build(settings.offline):
        return unchanged
    bundles: BundleUrls = current_app.extensions["bundles"]
    script = bundles.text("worker.js" if settings.offline else "no-worker.js")
    # A browser installs what differs by a byte: so it reads the page below anew with each build.
    build = current_app.extensions["build"]
    return Response(f"{script}// {build}\n", mimetype="text/javascript")


@bp.get("/offline")
@access.public
def shell() -> ResponseReturnValue:
    """Show the page that stands for all others while there is no connection."""
    return caching.not_modified_since_build() or render_template("offline/shell.html")


@bp.get("/manifest.webmanifest")
@access.public
def manifest() -> ResponseReturnValue:
    """Describe the app to a browser that installs it."""
    if unchanged := caching.not_modified_since_build():
        return unchanged
    start = url_for("accounts.start")
    response = jsonify(
        id=start,
        name="Quartermaster",
        short_name="Quartermaster",
        start_url=start,
        scope=start,
        display="standalone",
        background_color=SURFACE,
        theme_color=ACCENT,
        icons=[
            {
                "src": f"/static/img/{name}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in ICONS
        ],
    )
    response.mimetype = "application/manifest+json"
    return response


class OutboxProps(WidgetProps):
    """Whose changes the outbox shows."""

    user = replies.number()
    username = replies.text()


@outbox.get("/outbox")
@access.signed_in
def show() -> str:
    """Show the changes that wait in this browser; the browser alone knows them."""
    user = current_user()
    props = OutboxProps().dump({"user": user.user_id, "username": user.username})
    return render_template("offline/outbox.html", props=props)
