"""Commands of the fleet's upkeep."""

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import click
from flask import current_app
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.config import Settings
from app.db import transaction
from app.records.commands import exports, imports
from app.records.reading import read_all
from app.records.record import csv_lines
from app.upkeep.queries.defects import stream_open_defects
from app.upkeep.queries.due import open_items
from app.upkeep.queries.reading_lists import all_readings
from app.upkeep.queries.vehicles import vehicles_on_record
from app.upkeep.rules.next_due import add_months
from app.upkeep.rules.record import Kept, parse_months
from app.upkeep.schemas.files import (
    DUE_FILE,
    OPEN_DEFECT_FILE,
    READING_FILE,
    due_lines,
    read_defects,
    read_due,
    read_readings,
)
from app.upkeep.schemas.repairs import REPAIR_LIST
from app.upkeep.services import defect_decisions, lists
from app.upkeep.services.retention import prune as prune_vehicle

fleet = AppGroup("fleet", help="Look after the fleet's records.")


@fleet.command()
@click.option("--older-than", required=True, metavar="MONTHS", help="Such as 15m.")
@click.option("--dry-run", is_flag=True, help="Print what would be removed.")
@reports_errors
def prune(older_than: str, dry_run: bool) -> None:
    """Remove checks, closed defects, repairs and what else ended so many months ago.

    Nothing of an open case is removed, and never less than RETENTION_MONTHS. Each vehicle is done
    whole or not at all; photos and documents go with the next flask photos sweep.
    """
    settings: Settings = current_app.config["QUARTERMASTER"]
    months = parse_months(older_than, least=settings.retention_months)
    before = add_months(dates.today(), -months)
    removed: Counter[Kept] = Counter()
    for reg_key in progress_bar("Vehicles")([None, *vehicles_on_record()]):
        with transaction(commit=not dry_run):
            removed += prune_vehicle(reg_key, before)
    numbers = ", ".join(f"{removed[kind]:,} {kind}" for kind in Kept)
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} from before {dates.format_day(before)}: "
        f"{numbers}." + (" Dry run: nothing was removed." if dry_run else "")
    )


defects = AppGroup("defects", help="Import and export open defects.")
due = AppGroup("due", help="Import and export what is due.")
readings = AppGroup("readings", help="Import and export odometer readings.")
repairs = AppGroup("repairs", help="Export repairs.")


@imports(defects)
def import_defects(file: Path, saving: AbstractContextManager[None]) -> str:
    """Open the defects in FILE (reg,part,title,severity,day,…). All or nothing is imported.

    A part that has an open defect is left as it is, and so is a row about what was closed since.
    """
    read = read_defects(file)
    with saving:
        imported = defect_decisions.import_defects(read, by=None)
    for note in imported.notes:
        click.echo(note)
    return f"{imported.change.added} added, {imported.change.unchanged} unchanged"


@exports(defects, "defects")
def export_defects() -> Iterable[str]:
    """Write the open defects as CSV to standard output or a file."""
    return csv_lines(OPEN_DEFECT_FILE, stream_open_defects())


@imports(due)
def import_due(file: Path, saving: AbstractContextManager[None]) -> str:
    """Add or change the items in FILE (reg,kind,due_on,due_miles,label).

    All or nothing is imported.
    """
    read = read_due(file)
    with saving:
        return lists.import_due(read, by=None).summary


@exports(due, "due")
def export_due() -> Iterable[str]:
    """Write what is due as CSV to standard output or a file."""
    return csv_lines(DUE_FILE, due_lines(open_items()))


@imports(readings)
def import_readings(file: Path, saving: AbstractContextManager[None]) -> str:
    """Add the readings in FILE (reg,day,miles) that aren't there. All or nothing is imported."""
    read = read_readings(file)
    with saving:
        return lists.import_readings(read, by=None).summary


@exports(readings, "readings")
def export_readings() -> Iterable[str]:
    """Write the readings that aren't void as CSV to standard output or a file."""
    return csv_lines(READING_FILE, all_readings())


@readings.command("rebuild")
@reports_errors
def rebuild() -> None:
    """Add the readings of checks that have none, as an update under load may leave them."""
    added = 0
    while True:
        with transaction():
            part = lists.rebuild_readings()
        added += part
        if not part:
            break
    click.echo(f"{added} readings added.")


@exports(repairs, "repairs")
def export_repairs() -> Iterable[str]:
    """Write all repairs with what reverses them as CSV to standard output or a file."""
    return csv_lines(REPAIR_LIST.columns, read_all(REPAIR_LIST))
