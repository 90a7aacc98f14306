"""`flask doctor`: check the installation."""

from datetime import timedelta
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from app.cli.commands import reports_errors
from app.diagnostics.services import findings
from app.errors import Conflict


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
        raise Conflict("1 check failed." if failed == 1 else f"{failed} checks failed.")
