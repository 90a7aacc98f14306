"""`flask verify`: check all that is stored."""

from collections.abc import Iterator
from itertools import islice

import click
from flask.cli import with_appcontext

from app.cli.commands import reports_errors
from app.diagnostics.queries import begin_snapshot
from app.diagnostics.services import CHECKS, DataCheck
from app.errors import Conflict, Unavailable

MAX_PROBLEMS = 20


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
        number = len(problems) + more
        noun = "problem" if number == 1 else "problems"
        click.echo(f"{check.name}: {f'{number:,} {noun}. {check.advice}' if problems else 'right'}")
    if failed:
        raise Conflict(f"{failed} of {len(CHECKS)} checks found problems.")


def _problems(check: DataCheck) -> Iterator[str]:
    """Yield the problems of a check, and the failure of a check itself."""
    try:
        yield from check.problems()
    except Unavailable as error:
        yield error.message
