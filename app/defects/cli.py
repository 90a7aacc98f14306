"""Commands of defects and repairs."""

from collections.abc import Iterable

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.defects.acts import TARGETS
from app.defects.schemas.repairs import REPAIR_LIST
from app.defects.services.repairs import relink_parts
from app.errors import Invalid
from app.money import count_of
from app.records.commands import add_file_commands, exports
from app.records.reading import read_all
from app.records.record import csv_lines
from app.reference_numbers import ReferenceNumber, Series, parse_number

defects = AppGroup("defects", help="Import and export open defects.")
repairs = AppGroup("repairs", help="Export repairs, and join them with their parts.")


add_file_commands(
    defects,
    "defects",
    lambda: TARGETS["defects"],
    "Open the defects in FILE (reg,part,title,severity,day,…). All or nothing is imported. "
    "A part that has an open defect is left as it is, and so is a row about what was closed since.",
)


@repairs.command()
@click.argument("reference")
@reports_errors
def relink(reference: str) -> None:
    """Take the parts of a repair from stock again, or return those of an undone one.

    REFERENCE is a repair such as R-0031 that `flask verify` names: stock has undone what it booked.
    """
    number = parse_number(reference, Series.REPAIR)
    if number is None:
        raise Invalid(f'"{reference}" isn\'t the number of a repair, such as R-0031.')
    with transaction():
        joined = relink_parts(number, by=None)
    repair = ReferenceNumber(Series.REPAIR, number)
    click.echo(f"{repair}: {count_of(joined, 'withdrawal')} joined.")


@exports(repairs, "repairs")
def export_repairs() -> Iterable[str]:
    """Write all repairs with what reverses them as CSV to standard output or a file."""
    return csv_lines(REPAIR_LIST.columns, read_all(REPAIR_LIST))
