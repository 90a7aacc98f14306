"""`flask counts`: check the numbers of rows by day that the features keep, and count anew."""

import click
from flask.cli import AppGroup

from app import day_counts
from app.cli.commands import reports_errors
from app.db import transaction
from app.diagnostics.queries import COUNTED, count_problems
from app.errors import Invalid

counts = AppGroup("counts", help="Check the numbers of rows by day.")


@counts.command("verify")
@reports_errors
def verify() -> None:
    """Check that the numbers of checks, deliveries and moves by day are those of the rows."""
    problems = list(count_problems())
    for problem in problems:
        click.echo(problem)
    if problems:
        raise Invalid(f"{len(problems)} numbers are wrong: run flask counts rebuild.")
    click.echo(f"{len(COUNTED)} lists are counted correctly.")


@counts.command("rebuild")
@reports_errors
def rebuild() -> None:
    """Count the checks, deliveries and moves of each day anew."""
    with transaction():
        for counted in COUNTED:
            day_counts.rebuild(counted)
    click.echo(f"{len(COUNTED)} lists are counted anew.")
