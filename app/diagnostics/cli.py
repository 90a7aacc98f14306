"""`flask verify`, `flask doctor` and `flask counts`: check what is stored, and the installation."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from app import day_counts
from app.cli.commands import Commands, reports_errors
from app.db import transaction
from app.diagnostics.queries import COUNTED, begin_snapshot, count_problems
from app.diagnostics.services import CHECKS, DataCheck, findings
from app.errors import Conflict, Invalid, Unavailable
from app.money import count_of

MAX_PROBLEMS = 20

counts = Commands("counts", help="Check the numbers of rows by day.")


@click.command()
@with_appcontext
@reports_errors
def verify() -> None:
    """Check all that is stored, while people work; exit 1 and say what to do when it is wrong."""
    begin_snapshot()
    failed = 0
    for check in CHECKS:
        found = _problems(check)
        problems = list(islice(found, MAX_PROBLEMS))
        more = sum(1 for _ in found)
        for problem in problems:
            click.echo(f"  {problem}", err=True)
        if more:
            click.echo(f"  and {more:,} more", err=True)
        for note in check.notes():
            click.echo(f"  Note: {note}")
        failed += bool(problems)
        number = count_of(len(problems) + more, "problem")
        click.echo(f"{check.name}: {f'{number}. {check.advice}' if problems else 'right'}")
    if failed:
        raise Conflict(f"{failed} of {len(CHECKS)} checks found problems.")


def _problems(check: DataCheck) -> Iterator[str]:
    """Yield the problems of a check, and the failure of a check itself."""
    try:
        yield from check.problems()
    except Unavailable as error:
        yield error.message


@click.command()
@click.option(
    "--backups",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Check the newest backup in this folder too.",
)
@click.option(
    "--max-age",
    "hours",
    default=26,
    show_default=True,
    metavar="HOURS",
    type=click.IntRange(min=1),
    help="How old the newest backup may be.",
)
@with_appcontext
@reports_errors
def doctor(backups: Path | None, hours: int) -> None:
    """Check settings, database, disks, photo store and clock; exit 1 and say what to do."""
    failed = 0
    for finding in findings(current_app.config["QUARTERMASTER"], backups, timedelta(hours=hours)):
        click.echo(f"{'FAILED' if finding.advice else 'ok':<6}  {finding.name}: {finding.text}")
        if finding.advice:
            click.echo(f"        {finding.advice}")
            failed += 1
    if failed:
        raise Conflict(f"{count_of(failed, 'check')} failed.")


@counts.command("verify")
def verify_counts() -> None:
    """Check that the numbers of checks, deliveries and moves by day are those of the rows."""
    problems = list(count_problems())
    for problem in problems:
        click.echo(problem)
    if problems:
        raise Invalid(f"{len(problems)} numbers are wrong: run flask counts rebuild.")
    click.echo(f"{len(COUNTED)} lists are counted correctly.")


@counts.command("rebuild")
def rebuild_counts() -> None:
    """Count the checks, deliveries and moves of each day anew."""
    with transaction():
        for counted in COUNTED:
            day_counts.rebuild(counted)
    click.echo(f"{len(COUNTED)} lists are counted anew.")
