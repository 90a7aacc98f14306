"""`flask directory`: lists in and out."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.directory import queries
from app.directory.rules import Kind
from app.directory.schemas.files import COLUMNS, key_rows, name_rows, read_keys, read_names
from app.directory.services import keys, names
from app.tables.csv_files import write_lines, write_rows

directory = AppGroup("directory", help="Import and export teams, suppliers, services and keys.")

_kind = click.argument("kind", type=click.Choice([kind.value for kind in Kind]))


@directory.command("import")
@_kind
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and say what would change.")
@reports_errors
def import_list(kind: str, file: Path, dry_run: bool) -> None:
    """Set what FILE lists; other entries stay as they are. All of it, or nothing."""
    owner = Kind(kind)
    if owner is Kind.KEYS:
        wanted_keys = read_keys(file)
        with transaction(keep=not dry_run):
            result = keys.set_keys(wanted_keys, by=None)
    else:
        wanted_names = read_names(file, owner)
        with transaction(keep=not dry_run):
            result = names.set_names(owner, wanted_names)
    click.echo(
        f"{file.name}: {result.added} added, {result.changed} changed, "
        f"{result.unchanged} unchanged." + (" Dry run: nothing was written." if dry_run else "")
    )


@directory.command("export")
@_kind
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_list(kind: str, output: Path | None) -> None:
    """Write a list as CSV, to standard output or a file."""
    owner = Kind(kind)
    is_keys = owner is Kind.KEYS
    rows = key_rows(queries.all_keys()) if is_keys else name_rows(queries.entries(owner))
    write_lines(write_rows(COLUMNS[owner], rows), output)


@directory.command("remove")
@_kind
@click.argument("name")
@reports_errors
def remove_entry(kind: str, name: str) -> None:
    """Take the entry called NAME off a list; what happened with it stays in the histories."""
    owner = Kind(kind)
    with transaction():
        removed = (
            keys.remove_key(name, by=None) if owner is Kind.KEYS else names.remove(owner, name)
        )
    click.echo(f'Removed {owner.noun} "{removed}".')
