"""The commands that import and export files of records."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.money import count_of
from app.records.record import csv_lines
from app.records.targets import ImportTarget, check_names, read_rows, refused_lines
from app.tables.columns import Prepared
from app.tables.csv_files import errors_of_file, write_lines
from app.tables.sheets import read_sheet

Parameter = Callable[[Any], Any]

_output = click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write."
)
_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_dry_run = click.option(
    "--dry-run", is_flag=True, help="Check the file and print what would change."
)
_READING = (
    click.option(
        "--map", "mapped", multiple=True, help='Our column for one of the file: "Asset Tag=id".'
    ),
    click.option("--ignore-unknown", is_flag=True, help="Leave out columns that aren't ours."),
    click.option("--sheet", default="", help="The name of a workbook's sheet."),
    click.option("--day-first/--month-first", default=None, help="How 3/2/2026 is read."),
    click.option(
        "--leave-out-refused",
        "refused",
        type=click.Path(dir_okay=False, path_type=Path),
        help="A file for the rows that are refused; the others are imported.",
    ),
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

        return _add(group, "export", lines.__doc__, run, [*parameters, _output])

    return command


def add_file_commands(
    group: AppGroup,
    subject: str,
    target_of: Callable[..., ImportTarget[Any]],
    what: str,
    *parameters: Parameter,
) -> None:
    """Add the commands `import` and `export` of the list that `target_of` their parameters is.

    `subject` is as for `exports`, `what` the help of the import.
    """

    @exports(group, subject, *parameters)
    def export(**arguments: Any) -> Iterable[str]:
        """Write the list as CSV, to standard output or a file."""
        target = target_of(**arguments)
        return csv_lines(target.columns, target.current())

    def run(
        file: Path,
        mapped: Sequence[str],
        ignore_unknown: bool,
        sheet: str,
        day_first: bool | None,
        refused: Path | None,
        dry_run: bool,
        **arguments: Any,
    ) -> None:
        target, left_out = target_of(**arguments), 0
        if target.read_json and file.suffix.casefold() == ".json":
            lines = target.read_json(file)
        else:
            source = _prepare(target, file, mapped, sheet, day_first)
            source = replace(source, accepts_others=ignore_unknown)
            lines, wrong = (
                read_rows(target, source) if refused else (target.read_checked(source), {})
            )
            if refused and wrong:
                write_lines(refused_lines(source, wrong), refused)
            left_out = len(wrong)
        with transaction(commit=not dry_run):
            change = target.apply(lines, None, file.name, progress_bar("Importing"))
        for note in getattr(change, "notes", ()):
            click.echo(note)
        left = f" {count_of(left_out, 'row')} left out: {refused}." if left_out else ""
        dry = " Dry run: nothing was written." if dry_run else ""
        click.echo(f"{file.name}: {change.summary}.{left}{dry}")

    _add(group, "import", what, run, [*parameters, _file, *_READING, _dry_run])


def _prepare(
    target: ImportTarget[Any], file: Path, mapped: Sequence[str], sheet: str, day_first: bool | None
) -> Prepared:
    columns = dict(each.rpartition("=")[::2] for each in mapped)
    with errors_of_file(file.name):
        found = read_sheet(file.read_bytes(), sheet=sheet)
        check_names("sheet", filter(None, [sheet]), found.sheets)
        return target.prepare_chosen(file.name, found, columns, day_first)


def _add(
    group: AppGroup,
    name: str,
    what: str | None,
    run: Callable[..., None],
    parameters: list[Parameter],
) -> click.Command:
    command: Callable[..., None] = reports_errors(run)
    for parameter in reversed(parameters):
        command = parameter(command)
    return group.command(name, help=what)(command)
