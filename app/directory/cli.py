"""`flask directory`: import, export and remove entries of the directory."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.directory import queries
from app.directory.rules import DirectoryList
from app.directory.schemas import FILES, read_keys, read_names
from app.directory.services import keys, names
from app.records.commands import exports, imports
from app.records.record import csv_lines

directory = AppGroup("directory", help="Import and export teams, suppliers, services and keys.")

_list_name = click.argument("list_name", type=click.Choice([name.value for name in DirectoryList]))


@imports(directory, _list_name)
def import_list(list_name: str, file: Path, saving: AbstractContextManager[None]) -> str:
    """Set the entries in FILE; other entries stay as they are. All of it, or nothing."""
    name = DirectoryList(list_name)
    is_keys = name is DirectoryList.KEYS
    entries: Any = read_keys(file) if is_keys else read_names(file, name)
    with saving:
        change = keys.set_keys(entries, by=None) if is_keys else names.set_names(name, entries)
    return change.summary


@exports(directory, "{list_name}", _list_name)
def export_list(list_name: str) -> Iterable[str]:
    """Write a list as CSV, to standard output or a file."""
    name = DirectoryList(list_name)
    is_keys = name is DirectoryList.KEYS
    return csv_lines(FILES[name], queries.all_keys() if is_keys else queries.entries(name))


@directory.command("remove")
@_list_name
@click.argument("name")
@reports_errors
def remove_entry(list_name: str, name: str) -> None:
    """Remove the entry called NAME from a list; the histories still mention it."""
    list_ = DirectoryList(list_name)
    is_keys = list_ is DirectoryList.KEYS
    with transaction():
        removed = keys.remove_key(name, by=None) if is_keys else names.remove(list_, name)
    click.echo(f'Removed {list_.noun} "{removed}".')
