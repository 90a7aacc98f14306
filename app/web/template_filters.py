"""Filters and globals of templates: money, numbers, days."""

from flask import Flask

from app import dates, money, names, roles
from app.web.forms import new_idempotency_key
from app.web.htmx import CONFIG


def init_app(app: Flask) -> None:
    """Register filters and globals."""
    app.jinja_env.globals.update(htmx_config=CONFIG, new_idempotency_key=new_idempotency_key)
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
        pounds_change=money.format_pence_change,
        cut=names.truncate,
        role_words=roles.role_words,
    )
