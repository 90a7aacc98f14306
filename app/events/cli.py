"""`flask events`: list and export what happened."""

import json
from pathlib import Path
from typing import Any

import click

from app import dates
from app.audit.queries import usernames
from app.audit.rules import Event, line_of, name_of
from app.audit.services import record
from app.cli.commands import Commands
from app.db import transaction
from app.divisions import Division
from app.events import queries
from app.events.rules import EventKind, StoredEvent
from app.tables.csv_files import write_lines

events = Commands("events", help="List and export what happened.")

_since = click.option("--since", metavar="DAY", help="Only since this day, such as 2026-11-22.")
_kind = click.option(
    "--kind", type=click.Choice([kind.value for kind in EventKind]), help="Only these."
)
_division = click.option(
    "--division", type=click.Choice([each.value for each in Division]), help="Only of this one."
)


@events.command("list")
@_since
@_kind
@_division
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100_000))
def list_events(since: str | None, kind: str | None, division: str | None, limit: int) -> None:
    """List the latest events, oldest first."""
    names = usernames()
    for event in queries.latest_events(limit, **_filters(since, kind, division)):
        columns = (
            str(event.id),
            dates.format_local_time(event.at),
            event.kind,
            event.division or "-",
            f"{event.subject_kind} {event.subject_id}",
            event.channel,
            name_of(event.actor_id, names),
            _changes(event),
        )
        click.echo("\t".join(columns).rstrip())


@events.command()
@_since
@_kind
@_division
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
def export(since: str | None, kind: str | None, division: str | None, output: Path | None) -> None:
    """Write events as lines of JSON, to standard output or a file."""
    filters = _filters(since, kind, division)
    with transaction():
        record(Event.EXPORT, "events")
    write_lines(map(line_of, queries.all_events(**filters)), output)


def _filters(since: str | None, kind: str | None, division: str | None) -> dict[str, Any]:
    return {
        "since": dates.start_of_day(dates.parse_day(since)) if since else None,
        "kind": EventKind(kind) if kind else None,
        "division": Division(division) if division else None,
    }


def _changes(event: StoredEvent) -> str:
    before, after = event.before or {}, event.after or {}
    texts = []
    for name in {**before, **after}:
        if name in before and before[name] == after.get(name):
            continue
        old = f"{_text(before[name])} →" if name in before else ""
        texts.append(" ".join(filter(None, (name, old, _text(after.get(name, ""))))))
    return ", ".join(texts)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
