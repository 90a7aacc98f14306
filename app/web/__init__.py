"""What all pages share: access, forms, responses, headers, caching and error pages."""

from pathlib import Path

from flask import Flask
from flask_compress import Compress

from app.web import (
    bundles,
    caching,
    converters,
    error_pages,
    headers,
    health,
    limits,
    page_forms,
    rendered,
    request_log,
    retries,
    template_filters,
)


def init_app(app: Flask, root: Path) -> None:
    """Register the parts of this package that work on every request."""
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Compress(app)
    parts = (caching, converters, error_pages, limits, page_forms, rendered, template_filters)
    for part in (*parts, retries):
        part.init_app(app)
    bundles.init_app(app, root)
    headers.init_app(app)
    request_log.init_app(app)
    app.register_blueprint(health.bp)
