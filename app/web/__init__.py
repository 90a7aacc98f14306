"""What all pages share: access, forms, responses, headers, caching and error pages."""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from flask_compress import Compress
from werkzeug.local import LocalProxy

from app.config import Settings
from app.db import db
from app.revisions import MIGRATIONS
from app.web import (
    bundles,
    caching,
    converters,
    error_pages,
    headers,
    health,
    retries,
    template_filters,
)

SESSION_LIFETIME = timedelta(hours=12)


def flask_config(settings: Settings) -> dict[str, Any]:
    """Return Flask's configuration for these settings."""
    return {
        "QUARTERMASTER": settings,
        "SECRET_KEY": settings.secret_key,
        "TRUSTED_HOSTS": list(settings.trusted_hosts),
        "MAX_CONTENT_LENGTH": 24 * 1024 * 1024,
        "SESSION_COOKIE_NAME": "__Host-session" if settings.production else "session",
        "SESSION_COOKIE_SECURE": settings.production,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_REFRESH_EACH_REQUEST": False,
        "PERMANENT_SESSION_LIFETIME": SESSION_LIFETIME,
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_CHECK_DEFAULT": False,
        "COMPRESS_ALGORITHM": ["br", "gzip"],
        "COMPRESS_ALGORITHM_STREAMING": ["br", "gzip"],
        "COMPRESS_MIMETYPES": ["text/html", "text/plain", "text/csv", "application/json"],
        "COMPRESS_BR_LEVEL": 4,
        "COMPRESS_LEVEL": 5,
        "COMPRESS_MIN_SIZE": 400,
        "COMPRESS_EVALUATE_CONDITIONAL_REQUEST": False,
    }


def init_app(app: Flask, root: Path) -> None:
    """Register the parts of this package that work on every request."""
    logging.basicConfig(
        level=app.config["QUARTERMASTER"].log_level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # It names each of its plugins when it is imported.
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Compress(app)
    _init_migrations(app)
    for part in (caching, converters, error_pages, template_filters, retries):
        part.init_app(app)
    bundles.init_app(app, root)
    headers.init_app(app)
    app.register_blueprint(health.bp)


def _init_migrations(app: Flask) -> None:
    """Let Flask-Migrate set itself up when it is first used: Alembic is imported with it."""

    def migrate() -> object:
        from flask_migrate import Migrate

        Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=False)
        return app.extensions["migrate"]

    app.extensions["migrate"] = LocalProxy(migrate)
