"""What all pages share: access, forms, responses, headers, caching and error pages."""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from flask_compress import Compress
from flask_migrate import Migrate

from app.config import Settings
from app.db import db
from app.web import (
    bundles,
    caching,
    converters,
    error_pages,
    headers,
    health,
    rendered,
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
        "COMPRESS_BR_LEVEL": 3,
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
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Compress(app)
    Migrate(app, db, directory=str(root / "migrations"), render_as_batch=False)
    for part in (caching, converters, error_pages, rendered, template_filters, retries):
        part.init_app(app)
    bundles.init_app(app, root)
    headers.init_app(app)
    app.register_blueprint(health.bp)
