"""`flask users` and `flask tokens`."""

import sys
from collections.abc import Callable, Sequence

import click
from flask.cli import AppGroup

from app import dates
from app.accounts import queries, rules
from app.accounts.models import GrantKind, User
from app.accounts.services import tokens as token_services
from app.accounts.services import users as user_services
from app.cli.commands import reports_errors
from app.db import transaction
from app.divisions import Division

LISTED_ID_LENGTH = 10

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
        user = user_services.create_user(name, password, map(Division, divisions), scopes)
    click.echo(f'Created "{user.username}" for {_access(user)}.')
    if scopes:
        click.echo("A scope grants its whole division; the part after the colon does not limit it.")
    if not divisions and not scopes:
        click.echo("No division was named, so all four were granted.")


@users.command("list")
@reports_errors
def list_users() -> None:
    """List the accounts with their divisions and scopes."""
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
    """Grant an account divisions or scopes."""
    _change(user_services.grant, name, divisions, scopes)


@users.command()
@click.argument("name")
@_division
@_scope
@reports_errors
def revoke(name: str, divisions: Sequence[str], scopes: Sequence[str]) -> None:
    """Revoke divisions or scopes, at once."""
    user = _change(user_services.revoke, name, divisions, scopes)
    by_scope = rules.divisions_of((), user.granted(GrantKind.SCOPE))
    remaining = by_scope & {Division(d) for d in divisions}
    if remaining and not user.granted(GrantKind.PERMISSION):
        names = ", ".join(d.label for d in Division if d in remaining)
        click.echo(f"Its scopes still grant {names}; revoke them with --scope.")


@users.command()
@click.argument("name")
@reports_errors
def disable(name: str) -> None:
    """Disable an account and sign it out everywhere."""
    with transaction():
        user = user_services.disable(name)
    click.echo(f'"{user.username}" is disabled and signed out.')


@users.command()
@click.argument("name")
@reports_errors
def enable(name: str) -> None:
    """Enable a disabled account again."""
    with transaction():
        user = user_services.enable(name)
    click.echo(f'"{user.username}" is active again, for {_access(user)}.')


@users.command("set-password")
@click.argument("name")
@_password
@reports_errors
def set_password(name: str, password_stdin: bool) -> None:
    """Set a password and sign the account out everywhere."""
    password = _read_password(from_stdin=password_stdin)
    with transaction():
        user = user_services.set_password(name, password)
    click.echo(f'"{user.username}" has a new password and is signed out.')


def _change(
    service: Callable[..., User], name: str, divisions: Sequence[str], scopes: Sequence[str]
) -> User:
    if not divisions and not scopes:
        raise click.UsageError("Give at least one --division or --scope.")
    with transaction():
        user = service(name, [Division(d) for d in divisions], scopes)
    click.echo(f'"{user.username}" now has {_access(user)}.')
    return user


def _access(user: User) -> str:
    divisions = rules.divisions_of(
        user.granted(GrantKind.PERMISSION), user.granted(GrantKind.SCOPE)
    )
    return ", ".join(d.label for d in Division if d in divisions) or "no division"


def _read_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


tokens = AppGroup("tokens", help="List and end the sessions of API clients.")


@tokens.command("list")
@click.option("--user", "username", help="Only this account's.")
@reports_errors
def list_tokens(username: str | None) -> None:
    """List the signed-in API clients, newest first."""
    if username is not None:
        user_services.get_user(username)
    for session in queries.api_sessions(username):
        columns = (
            session.id[:LISTED_ID_LENGTH],
            session.username,
            f"since {dates.format_local_time(session.since)}",
            f"renewed {dates.format_local_time(session.renewed_at)}",
            f"until {dates.format_local_time(session.expires_at)}",
        )
        click.echo("\t".join(columns))


@tokens.command("revoke", context_settings={"ignore_unknown_options": True})
@click.argument("id_", metavar="ID", required=False)
@click.option("--user", "username", help="All of this account's.")
@reports_errors
def revoke_tokens(id_: str | None, username: str | None) -> None:
    """End the session with this ID (see `list`), or all of an account; its tokens stop working."""
    if (id_ is None) == (username is None):
        raise click.UsageError("Give an ID or --user.")
    with transaction():
        if username is not None:
            ended = token_services.revoke_all_tokens(username)
        else:
            token_services.revoke_tokens(id_ or "")
            ended = 1
    click.echo(f"{ended} {'session' if ended == 1 else 'sessions'} ended.")
