"""The commands that import and export CSV files of records."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.tables.csv_files import write_lines

Parameter = Callable[[Any], Any]

_output = click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write."
)
_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_dry_run = click.option(
    "--dry-run", is_flag=True, help="Check the file and print what would change."
)


def exports(
    group: AppGroup, subject: str, *parameters: Parameter
) -> Callable[[Callable[..., Iterable[str]]], click.Command]:
    """Return a decorator that makes the command `export` of a function.

    The function returns the chunks of a file by the command's parameters, with which `subject`
    names the file in the audit trail.
    """

    def command(lines: Callable[..., Iterable[str]]) -> click.Command:
        def run(output: Path | None, **arguments: Any) -> None:
            with transaction():
                record(Event.EXPORT, subject.format(**arguments))
                chunks = lines(**arguments)
            write_lines(chunks, output)

        return _add(group, "export", lines, run, [*parameters, _output])

    return command


def imports(
    group: AppGroup, *parameters: Parameter
) -> Callable[[Callable[..., str]], click.Command]:
    """Return a decorator that makes the command `import` of a function.

    The function takes `file`, its path, the parameters, and `saving`, the transaction in which it
    saves the file's content; it returns what changed.
    """

    def command(save: Callable[..., str]) -> click.Command:
        def run(file: Path, dry_run: bool, **arguments: Any) -> None:
            saving: AbstractContextManager[None] = transaction(commit=not dry_run)
            changed = save(file=file, saving=saving, **arguments)
            dry = " Dry run: nothing was written." if dry_run else ""
            click.echo(f"{file.name}: {changed}.{dry}")

        return _add(group, "import", save, run, [*parameters, _file, _dry_run])

    return command


def _add(
    group: AppGroup,
    name: str,
    function: Callable[..., Any],
    run: Callable[..., None],
    parameters: list[Parameter],
) -> click.Command:
    command: Callable[..., None] = reports_errors(run)
    for parameter in reversed(parameters):
        command = parameter(command)
    return group.command(name, help=function.__doc__)(command)
