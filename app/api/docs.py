"""The description of the JSON calls: for programs, for people, and on the command line."""

import json

import click
from flask import Flask, Response, render_template

from app.api import reading
from app.api.openapi import ABOUT, Api
from app.web import access
from app.web.caching import not_modified_since_build


def init_app(app: Flask, api: Api) -> None:
    """Serve /api/openapi.json and /api/docs, and add `flask openapi`."""
    app.jinja_env.filters["marked"] = reading.marked

    @app.get("/api/openapi.json")
    @access.public
    def openapi() -> Response:
        return not_modified_since_build() or Response(api.document(), mimetype="application/json")

    @app.get("/api/docs")
    @access.public
    def api_docs() -> Response | str:
        if (unchanged := not_modified_since_build()) is not None:
            return unchanged
        described = json.loads(api.document())
        return render_template(
            "api/docs.html",
            about=ABOUT,
            sections=reading.sections(described),
            failures=reading.failures(described),
            schemas=reading.schemas(described),
        )

    @app.cli.command("openapi")
    def openapi_command() -> None:
        """Write the OpenAPI description of the JSON calls, as /api/openapi.json has it."""
        click.echo(api.document())
