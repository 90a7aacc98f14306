"""`flask assets`: import and export of the register."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app import money
from app.assets.queries.register import stream_register
from app.assets.schemas.files import ASSET_COLUMNS, asset_rows, read_assets
from app.assets.services.lists import set_assets
from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.tables.csv_files import write_lines, write_rows

assets = AppGroup("assets", help="Import and export the register of assets.")


@assets.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and say what would change.")
@reports_errors
def import_assets(file: Path, dry_run: bool) -> None:
    """Set the assets that FILE lists; others stay as they are. All of it, or nothing."""
    updates = read_assets(file)
    with transaction(commit=not dry_run):
        change = set_assets(updates, by=None, progress=progress_bar("Importing"))
    without_id = sum(not update.id for update in updates)
    new_ids = f" {money.format_number(without_id)} got an ID." if without_id else ""
    click.echo(
        f"{file.name}: {change.added} added, {change.changed} changed, "
        f"{change.unchanged} unchanged.{new_ids}"
        + (" Dry run: nothing was written." if dry_run else "")
    )


@assets.command("export")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_assets(output: Path | None) -> None:
    """Write the register as CSV, to standard output or a file."""
    with transaction():
        record(Event.EXPORT, "assets")
    write_lines(write_rows(ASSET_COLUMNS, asset_rows(stream_register())), output)
