"""Commands of bookings."""

from collections.abc import Iterable
from dataclasses import replace

import click
from flask.cli import AppGroup

from app.bookings.queries.availability import rule_of
from app.bookings.rules import BookingKind
from app.bookings.schemas import BOOKING_LIST
from app.bookings.services.bookings import set_limits
from app.cli.commands import reports_errors
from app.db import transaction
from app.money import MAX_AMOUNT, count_of
from app.records.commands import exports
from app.records.reading import read_all
from app.records.record import csv_lines

bookings = AppGroup("bookings", help="List and export bookings, and set their limits.")

_LIMIT = click.IntRange(0, MAX_AMOUNT)


@bookings.command("list")
@click.option("--from", metavar="DAY", help="Only those that begin on this day or later.")
@click.option("--to", metavar="DAY", help="Only those that begin on this day or before.")
@click.option("--state", metavar="STATE", help="reserved, out, back, cancelled or no_show.")
@reports_errors
def list_bookings(**filters: str | None) -> None:
    """List the bookings, the latest first."""
    query = BOOKING_LIST.parse({name: value for name, value in filters.items() if value})
    query.check()
    for row in read_all(BOOKING_LIST, query):
        click.echo("\t".join(str(column.show(row)) for column in BOOKING_LIST.headings))


@exports(bookings, "bookings")
def export_bookings() -> Iterable[str]:
    """Write all bookings as CSV, with planned and real times, to standard output or a file."""
    return csv_lines(BOOKING_LIST.columns, read_all(BOOKING_LIST))


@bookings.command()
@click.argument("kind", type=click.Choice([kind.value for kind in BookingKind]))
@click.option("--class", "class_name", default="", help="A class; all without limits of their own.")
@click.option("--buffer-minutes", type=_LIMIT, help="Time that stays free between two bookings.")
@click.option("--longest-hours", type=click.IntRange(1, MAX_AMOUNT), help="Of one booking.")
@click.option("--ahead-days", type=_LIMIT, help="How many days ahead one may begin.")
@reports_errors
def rule(kind: str, class_name: str, **limits: int | None) -> None:
    """Print the limits of bookings of a kind and class, and change those that are given."""
    of_kind, changes = BookingKind(kind), {k: v for k, v in limits.items() if v is not None}
    with transaction():
        current = replace(rule_of(of_kind, class_name), **changes)
        if changes:
            set_limits(of_kind, class_name, current, by=None)
    click.echo(
        f"{class_name or of_kind.label}: {count_of(current.buffer_minutes, 'minute')} between two, "
        f"at most {count_of(current.longest_hours, 'hour')}, "
        f"at most {count_of(current.ahead_days, 'day')} ahead."
    )
