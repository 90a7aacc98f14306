"""`flask users`: accounts, from a terminal."""

import sys
from collections.abc import Callable, Sequence

import click
from flask.cli import AppGroup

from app import dates
from app.accounts import queries, rules
from app.accounts.models import GrantKind, User
from app.accounts.services import tokens as token_services
from app.accounts.services import users as services
from app.cli.commands import reports_errors
from app.db import transaction
from app.divisions import Division

SHOWN_OF_ID = 10

users = AppGroup("users", help="Create and manage accounts.")

_division = click.option(
    "--division",
    "divisions",
    multiple=True,
    type=click.Choice([d.value for d in Division], case_sensitive=False),
    help="A division; may be given several times.",
)
_scope = click.option("--scope", "scopes", multiple=True, help="A scope such as gfm:read.")
_password = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input."
)


@users.command()
@click.argument("name")
@_division
@_scope
@_password
@reports_errors
def create(
    name: str, divisions: Sequence[str], scopes: Sequence[str], password_stdin: bool
) -> None:
    """Create an account; without divisions and scopes it gets all four divisions."""
    password = _read_password(from_stdin=password_stdin)
    with transaction():
        user = services.create_user(name, password, map(Division, divisions), scopes)
    click.echo(f'Created "{user.username}" for {_access(user)}.')
    if scopes:
        click.echo("A scope gives its whole division; what stands behind its colon limits nothing.")
    if not divisions and not scopes:
        click.echo("No division was named, so all four were granted.")


@users.command("list")
@reports_errors
def list_users() -> None:
    """List the accounts and what they may do."""
    for user in queries.all_users():
        scopes = ", ".join(user.granted(GrantKind.SCOPE))
        state = "disabled" if user.disabled_at else "active"
        columns = [user.username, state, _access(user)] + ([scopes] if scopes else [])
        click.echo("\t".join(columns))


@users.command()
@click.argument("name")
@_division
@_scope
@reports_errors
def grant(name: str, divisions: Sequence[str], scopes: Sequence[str]) -> None:
    """Give an account divisions or scopes."""
    _change(services.grant, name, divisions, scopes)


@users.command()
@click.argument("name")
@_division
@_scope
@reports_errors
def revoke(name: str, divisions: Sequence[str], scopes: Sequence[str]) -> None:
    """Take divisions or scopes away, at once."""
    user = _change(services.revoke, name, divisions, scopes)
    left = rules.divisions_of((), user.granted(GrantKind.SCOPE)) & {Division(d) for d in divisions}
    if left and not user.granted(GrantKind.PERMISSION):
        names = ", ".join(d.label for d in Division if d in left)
        click.echo(f"Its scopes still open {names}; take them away with --scope.")


@users.command()
@click.argument("name")
@reports_errors
def disable(name: str) -> None:
    """Close an account and sign it out everywhere."""
    with transaction():
        user = services.disable(name)
    click.echo(f'"{user.username}" is disabled and signed out.')


@users.command()
@click.argument("name")
@reports_errors
def enable(name: str) -> None:
    """Open a disabled account again."""
    with transaction():
        user = services.enable(name)
    click.echo(f'"{user.username}" is active again, for {_access(user)}.')


@users.command("set-password")
@click.argument("name")
@_password
@reports_errors
def set_password(name: str, password_stdin: bool) -> None:
    """Set a password and sign the account out everywhere."""
    password = _read_password(from_stdin=password_stdin)
    with transaction():
        user = services.set_password(name, password)
    click.echo(f'"{user.username}" has a new password and is signed out.')


def _change(
    service: Callable[..., User], name: str, divisions: Sequence[str], scopes: Sequence[str]
) -> User:
    if not divisions and not scopes:
        raise click.UsageError("Name at least one --division or --scope.")
    with transaction():
        user = service(name, [Division(d) for d in divisions], scopes)
    click.echo(f'"{user.username}" now has {_access(user)}.')
    return user


def _access(user: User) -> str:
    held = rules.divisions_of(user.granted(GrantKind.PERMISSION), user.granted(GrantKind.SCOPE))
    return ", ".join(d.label for d in Division if d in held) or "no division"


def _read_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


tokens = AppGroup("tokens", help="See and end the sessions of API clients.")


@tokens.command("list")
@click.option("--user", "username", help="Only those of this account.")
@reports_errors
def list_tokens(username: str | None) -> None:
    """List the API clients that are signed in, the newest first."""
    if username is not None:
        services.existing_user(username)
    for session in queries.api_sessions(username):
        columns = (
            session.id[:SHOWN_OF_ID],
            session.username,
            f"since {dates.format_local_time(session.since)}",
            f"renewed {dates.format_local_time(session.renewed_at)}",
            f"until {dates.format_local_time(session.expires_at)}",
        )
        click.echo("\t".join(columns))


@tokens.command("revoke", context_settings={"ignore_unknown_options": True})
@click.argument("id_", metavar="ID", required=False)
@click.option("--user", "username", help="All of this account.")
@reports_errors
def revoke_tokens(id_: str | None, username: str | None) -> None:
    """End the session whose ID `list` shows, or all of an account; its tokens work no more."""
    if (id_ is None) == (username is None):
        raise click.UsageError("Name an ID or --user.")
    with transaction():
        if username is not None:
            ended = token_services.revoke_all_tokens(username)
        else:
            token_services.revoke_tokens(id_ or "")
            ended = 1
    click.echo(f"{ended} {'session' if ended == 1 else 'sessions'} ended.")
