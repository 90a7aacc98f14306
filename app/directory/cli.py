"""`flask directory`: import, export and remove entries of the directory."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.directory import queries
from app.directory.rules import DirectoryList
from app.directory.schemas.files import COLUMNS, key_rows, name_rows, read_keys, read_names
from app.directory.services import keys, names
from app.lists import ListChange
from app.tables.csv_files import write_lines, write_rows

directory = AppGroup("directory", help="Import and export teams, suppliers, services and keys.")

_list_name = click.argument("list_name", type=click.Choice([name.value for name in DirectoryList]))


@directory.command("import")
@_list_name
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the file and say what would change.")
@reports_errors
def import_list(list_name: str, file: Path, dry_run: bool) -> None:
    """Set the entries in FILE; other entries stay as they are. All of it, or nothing."""
    change = _import(DirectoryList(list_name), file, dry_run=dry_run)
    click.echo(
        f"{file.name}: {change.added} added, {change.changed} changed, "
        f"{change.unchanged} unchanged." + (" Dry run: nothing was written." if dry_run else "")
    )


@directory.command("export")
@_list_name
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_list(list_name: str, output: Path | None) -> None:
    """Write a list as CSV, to standard output or a file."""
    with transaction():
        record(Event.EXPORT, list_name)
    name = DirectoryList(list_name)
    is_keys = name is DirectoryList.KEYS
    rows = key_rows(queries.all_keys()) if is_keys else name_rows(queries.entries(name))
    write_lines(write_rows(COLUMNS[name], rows), output)


@directory.command("remove")
@_list_name
@click.argument("name")
@reports_errors
def remove_entry(list_name: str, name: str) -> None:
    """Remove the entry called NAME from a list; the histories still mention it."""
    list_ = DirectoryList(list_name)
    with transaction():
        removed = (
            keys.remove_key(name, by=None)
            if list_ is DirectoryList.KEYS
            else names.remove(list_, name)
        )
    click.echo(f'Removed {list_.noun} "{removed}".')


def _import(list_name: DirectoryList, file: Path, *, dry_run: bool) -> ListChange:
    if list_name is DirectoryList.KEYS:
        imported_keys = read_keys(file)
        with transaction(commit=not dry_run):
            return keys.set_keys(imported_keys, by=None)
    imported_names = read_names(file, list_name)
    with transaction(commit=not dry_run):
        return names.set_names(list_name, imported_names)
