"""Health checks for a load balancer: liveness and readiness."""

import tempfile
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.config import Settings
from app.db import db
from app.revisions import all_revisions, current_revision
from app.web import access

PROBE_BYTES = 64 * 1024
bp = Blueprint("health", __name__)


@bp.get("/livez")
@access.public
def livez() -> Response:
    """Report that the process is alive; the database isn't used."""
    return jsonify(status="ok")


@bp.get("/readyz")
@access.public
def readyz() -> tuple[Response, int]:
    """Check database, schema and disk; the status is 503 if one fails."""
    checks = {"database": _database(), "schema": _schema(), "disk": _disk()}
    return jsonify(checks), 200 if all(v == "ok" for v in checks.values()) else 503


def _database() -> str:
    try:
        with db.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(text("SELECT 1"))
                return "ok"
            read_only = connection.execute(text("SHOW transaction_read_only")).scalar()
    except SQLAlchemyError:
        return "out of reach"
    return "takes no changes: it is a standby" if read_only == "on" else "ok"


def _schema() -> str:
    try:
        with db.engine.connect() as connection:
            revision = current_revision(connection)
    except SQLAlchemyError:
        return "out of reach"
    is_older = revision is None or revision in all_revisions()[:-1]
    # While hosts are updated one after the other, the tables may be newer than this release.
    return "run: flask db upgrade" if is_older else "ok"


def _disk() -> str:
    settings: Settings = current_app.config["QUARTERMASTER"]
    folders = {"the instance folder": settings.instance}
    if not settings.photo_store.startswith("s3://"):
        folders["the photo store"] = Path(settings.photo_store)
    url = db.engine.url
    if url.get_backend_name() == "sqlite" and url.database:
        folders["the database's folder"] = Path(url.database).parent
    for name, folder in folders.items():
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"x" * PROBE_BYTES)
        except OSError:
            return f"{name} can't be written to"
    return "ok"
