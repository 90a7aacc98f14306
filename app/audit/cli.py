"""`flask audit`: list, export and verify the audit trail."""

from collections.abc import Mapping
from pathlib import Path

import click

from app import dates
from app.audit import queries, rules, services
from app.audit.rules import ChainedEntry, Event
from app.cli.commands import Commands
from app.db import transaction
from app.errors import Conflict, NotFound
from app.tables.csv_files import write_lines

TAMPERED = "Somebody changed the database itself: compare the trail with that of a backup."

audit = Commands("audit", help="List, export and verify the audit trail.")


@audit.command("list")
@click.option("--user", "username", help="Only what this account did.")
@click.option("--event", type=click.Choice([event.value for event in Event]), help="Only these.")
@click.option("--since", metavar="DAY", help="Only since this day, such as 2026-11-22.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100_000))
def list_entries(username: str | None, event: str | None, since: str | None, limit: int) -> None:
    """List the latest entries, oldest first."""
    names = queries.usernames()
    user_id = _user_id(username, names) if username is not None else None
    start = dates.start_of_day(dates.parse_day(since)) if since else None
    for entry in queries.latest_entries(limit, user_id=user_id, event=event, since=start):
        columns = (
            str(entry.id),
            dates.format_local_time(entry.at),
            entry.event,
            entry.channel,
            rules.name_of(entry.user_id, names),
            entry.subject or "-",
            _detail(entry),
        )
        click.echo("\t".join(columns).rstrip())
    for row in queries.unrecorded_failures():
        whose = f"of {row.account}" if row.account else "under names without an account"
        click.echo(
            f"Not in the trail yet: {row.failures} failed sign-ins {whose}, "
            f"after {dates.format_local_time(row.since)}.",
            err=True,
        )


@audit.command()
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
def export(output: Path | None) -> None:
    """Write the trail as lines of JSON with its hashes, to standard output or a file."""
    with transaction():
        services.record(Event.EXPORT, "audit trail")
    write_lines(map(rules.line_of, queries.all_entries()), output)


@audit.command()
@click.option("--includes", "mark", metavar="MARK", help="What an earlier verify printed.")
def verify(mark: str | None) -> None:
    """Check the chain of hashes and its guards; exit 1 when something is wrong.

    With the MARK that was noted of an earlier verify, it also finds that the end was cut off or
    the chain was written anew.
    """
    problems = list(services.problems(rules.parse_mark(mark) if mark else None))
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise Conflict(f"{len(problems)} problems. {TAMPERED}")
    click.echo(f"The audit trail is whole. Note its mark elsewhere: {queries.last_mark()}")


def _user_id(username: str, names: Mapping[int, str]) -> int:
    ids = [number for number, name in names.items() if name.casefold() == username.casefold()]
    if not ids:
        raise NotFound(f'There is no user "{username}"')
    return ids[0]


def _detail(entry: ChainedEntry) -> str:
    return ", ".join(f"{name} {_text(value)}" for name, value in entry.detail.items())


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
