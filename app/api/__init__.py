"""The JSON API: its blueprints, bodies, lists and errors, their description, and /api/ping."""

from collections.abc import Callable, Iterable
from typing import Any

import click
from flask import Flask, Response, make_response, render_template, session
from flask_wtf.csrf import generate_csrf
from marshmallow.fields import AwareDateTime

from app import dates
from app.api import replies
from app.api.blueprint import Blueprint
from app.api.openapi import Api
from app.api.replies import Reply
from app.web import access
from app.web.caching import not_modified_since_build
from app.web.headers import content_security_policy

# Swagger UI has its icons in its stylesheet, as data URIs.
_READER_POLICY = content_security_policy({"img-src": "'self' data:"})

bp = Blueprint("ping", "Server", "Is the server there?", url_prefix="/api")


class Pong(Reply):
    """The server is there, and this is its time."""

    ok = replies.flag(True)
    time = AwareDateTime(metadata={"example": "2026-01-15T12:50:00+00:00"})


@bp.route("/ping", methods=["GET"])
@access.signed_in
@bp.response(200, Pong)
def ping() -> dict[str, Any]:
    """Return the server's time in UTC; the session must be alive."""
    return {"ok": True, "time": dates.utc_now()}


def init_app(app: Flask, features: Iterable[Callable[[Api], None]]) -> None:
    """Serve the calls that these functions register, their description, and its reader."""
    api = Api(app)
    api.register_blueprint(bp)
    for register_calls in features:
        register_calls(api)

    @app.get("/api/openapi.json")
    @access.public
    def openapi() -> Response:
        return not_modified_since_build() or Response(api.document(), mimetype="application/json")

    @app.get("/api/docs")
    @access.public
    def api_docs() -> Response:
        # Anybody may read the page. A signed-in user can also try out changes, which need a token.
        csrf_token = generate_csrf() if "_user_id" in session else ""
        response = make_response(render_template("api/docs.html", csrf_token=csrf_token))
        response.headers["Content-Security-Policy"] = _READER_POLICY
        return response

    @app.cli.command("openapi")
    @click.option("--widgets", is_flag=True, help="Add the schemas of the widgets' props.")
    def openapi_command(*, widgets: bool) -> None:
        """Write the OpenAPI description of the JSON calls, as /api/openapi.json has it."""
        click.echo(api.document_with_widgets() if widgets else api.document())
