"""The shared parts of all pages: access, forms, responses, headers, caching and error pages."""

from pathlib import Path

from flask import Flask
from flask_compress import Compress
from werkzeug.routing import BaseConverter, IntegerConverter, Map, PathConverter

from app import dates, divisions, money, names
from app.paging import MAX_ID
from app.reference_numbers import ReferenceNumber, Series
from app.web import (
    bundles,
    caching,
    error_pages,
    headers,
    health,
    htmx,
    limits,
    rendered,
    request_log,
    submissions,
)
from app.web.forms import new_idempotency_key


class AnyTextConverter(PathConverter):
    """Any text, slashes included, also at its start: an asset's id can be '/a'."""

    part_isolating = False
    regex = ".+?"


class RowIdConverter(IntegerConverter):
    """The id of a row; a number above MAX_ID becomes MAX_ID, the id of no row."""

    def to_python(self, value: str) -> int:
        """Convert the digits in a URL."""
        return MAX_ID if len(value) > len(str(MAX_ID)) else min(int(value), MAX_ID)


class ReferenceConverter(BaseConverter):
    """The number of a thing of a series as people say it, such as B-0031."""

    def __init__(self, url_map: Map, series: str) -> None:
        super().__init__(url_map)
        self.series = Series(series)
        self.regex = rf"{series}-\d{{4,9}}"

    def to_python(self, value: str) -> int:
        """Convert the reference in a URL."""
        return int(value.partition("-")[2])

    def to_url(self, value: int) -> str:
        """Return the reference of a number."""
        return str(ReferenceNumber(self.series, value))


def init_app(app: Flask, root: Path) -> None:
    """Register the parts of this package that work on every request."""
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    Compress(app)
    app.url_map.converters.update(
        any_text=AnyTextConverter, row_id=RowIdConverter, reference=ReferenceConverter
    )
    _set_up_templates(app)
    for part in (caching, error_pages, limits, htmx, rendered, submissions):
        part.init_app(app)
    bundles.init_app(app, root)
    headers.init_app(app)
    request_log.init_app(app)
    app.register_blueprint(health.bp)


def _set_up_templates(app: Flask) -> None:
    app.jinja_env.globals.update(new_idempotency_key=new_idempotency_key)
    app.jinja_env.filters.update(
        pounds=money.format_pence,
        plain_pounds=money.plain_pounds,
        number=money.format_number,
        tick=money.format_tick,
        day=dates.format_day,
        short_day=dates.short_day,
        iso=dates.format_machine_time,
        london_time=dates.format_time,
        london_day=lambda moment: dates.format_day(dates.london_day(moment)),
        change=money.format_change,
        count_of=money.count_of,
        pounds_change=money.format_pence_change,
        cut=names.truncate,
        role_words=divisions.role_words,
    )
