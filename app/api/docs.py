"""The description of the JSON calls: /api/openapi.json, /api/docs and `flask openapi`."""

import click
from flask import Flask, Response, make_response, render_template, session
from flask_wtf.csrf import generate_csrf

from app.api.openapi import Api
from app.web import access
from app.web.caching import not_modified_since_build
from app.web.headers import content_security_policy

# Swagger UI has its icons in its stylesheet, as data URIs.
_READER_POLICY = content_security_policy({"img-src": "'self' data:"})


def init_app(app: Flask, api: Api) -> None:
    """Serve /api/openapi.json and /api/docs, and add `flask openapi`."""

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
