"""`flask directory`: import, export and remove entries of the directory."""

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.directory.acts import TARGETS
from app.directory.rules import DirectoryList
from app.directory.services import keys, names
from app.records.commands import add_file_commands

directory = AppGroup("directory", help="Import and export teams, suppliers, services and keys.")

_list_name = click.argument("list_name", type=click.Choice([name.value for name in DirectoryList]))


add_file_commands(
    directory,
    "{list_name}",
    lambda list_name: TARGETS[list_name],
    "Set the entries in FILE; other entries stay as they are. All of it, or nothing.",
    _list_name,
)


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
