"""`flask users` and `flask tokens`."""

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import click

from app import dates
from app.accounts import queries
from app.accounts.models import GrantKind, User
from app.accounts.services import tokens as token_services
from app.accounts.services import users as user_services
from app.cli.commands import Commands
from app.db import transaction
from app.divisions import WHOLE_DIVISION, Division, Role, role_words

Command = TypeVar("Command", bound=Callable[..., Any])

users = Commands("users", help="Create and manage accounts.")

_ROLE = "A role in the divisions; may be given several times. Without one: worker and manager."
_REVOKED_ROLE = (
    "Only this role in the divisions; may be given several times. Without one: all of them."
)
_password = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input."
)


def _access_options(about_roles: str) -> Callable[[Command], Command]:
    about_divisions = "A division; may be given several times."
    division = _members("--division", "divisions", Division, about_divisions)
    role = _members("--role", "roles", Role, about_roles)
    scope = click.option("--scope", "scopes", multiple=True, help="A scope such as gfm:read.")
    return lambda command: division(role(scope(command)))


def _members(
    option: str, name: str, kind: type[StrEnum], about: str
) -> Callable[[Command], Command]:
    return click.option(
        option,
        name,
        multiple=True,
        type=click.Choice([member.value for member in kind], case_sensitive=False),
        callback=lambda _context, _option, values: list(map(kind, values)),
        help=about,
    )


@users.command()
@click.argument("name")
@_access_options(_ROLE)
@_password
def create(
    name: str,
    divisions: Sequence[Division],
    roles: Sequence[Role],
    scopes: Sequence[str],
    password_stdin: bool,
) -> None:
    """Create an account; without divisions and scopes it gets all four divisions."""
    _check_roles(divisions if divisions or scopes else list(Division), roles)
    password = _read_password(from_stdin=password_stdin)
    with transaction():
        user = user_services.create_user(name, password, divisions, scopes, roles)
    click.echo(f'Created "{user.username}" for {_access(user)}.')
    if scopes:
        click.echo("A scope grants its whole division; the part after the colon does not limit it.")
    if not divisions and not scopes:
        click.echo("No division was named, so all four were granted.")


@users.command("list")
def list_users() -> None:
    """List the accounts with their divisions, roles and scopes."""
    for user in queries.all_users():
        scopes = ", ".join(user.granted(GrantKind.SCOPE))
        state = "disabled" if user.disabled_at else "active"
        columns = [user.username, state, _access(user)] + ([scopes] if scopes else [])
        click.echo("\t".join(columns))


@users.command()
@click.argument("name")
@_access_options(_ROLE)
def grant(
    name: str, divisions: Sequence[Division], roles: Sequence[Role], scopes: Sequence[str]
) -> None:
    """Grant an account divisions, or single roles in them, or scopes."""
    user = _change(user_services.grant, name, divisions, roles, scopes)
    roles_by_division = user.granted_roles()
    workers = [d for d in Division if d in divisions and Role.WORKER in roles_by_division[d]]
    if workers and roles == [Role.VIEWER]:
        labels = ", ".join(division.label for division in workers)
        click.echo(f"A role takes nothing away: it still changes {labels} as a worker.")


@users.command()
@click.argument("name")
@_access_options(_REVOKED_ROLE)
def revoke(
    name: str, divisions: Sequence[Division], roles: Sequence[Role], scopes: Sequence[str]
) -> None:
    """Revoke divisions, or single roles in them, or scopes, at once."""
    user = _change(user_services.revoke, name, divisions, roles, scopes)
    remaining = user.roles().keys() & set(divisions)
    if remaining and not user.granted_roles():
        names = ", ".join(d.label for d in Division if d in remaining)
        click.echo(f"Its scopes still grant {names}; revoke them with --scope.")


@users.command()
@click.argument("name")
def disable(name: str) -> None:
    """Disable an account and sign it out everywhere."""
    with transaction():
        user = user_services.disable(name)
    click.echo(f'"{user.username}" is disabled and signed out.')


@users.command()
@click.argument("name")
def enable(name: str) -> None:
    """Enable a disabled account again."""
    with transaction():
        user = user_services.enable(name)
    click.echo(f'"{user.username}" is active again, for {_access(user)}.')


@users.command("set-password")
@click.argument("name")
@_password
def set_password(name: str, password_stdin: bool) -> None:
    """Set a password and sign the account out everywhere."""
    password = _read_password(from_stdin=password_stdin)
    with transaction():
        user = user_services.set_password(name, password)
    click.echo(f'"{user.username}" has a new password and is signed out.')


def _change(
    service: Callable[..., User],
    name: str,
    divisions: Sequence[Division],
    roles: Sequence[Role],
    scopes: Sequence[str],
) -> User:
    if not divisions and not scopes:
        raise click.UsageError("Give at least one --division or --scope.")
    _check_roles(divisions, roles)
    with transaction():
        user = service(name, divisions, scopes, roles)
    click.echo(f'"{user.username}" now has {_access(user)}.')
    return user


def _check_roles(divisions: Sequence[Division], roles: Sequence[Role]) -> None:
    if roles and not divisions:
        raise click.UsageError("Give the --division that the --role is in.")


def _access(user: User) -> str:
    """Return an account's divisions, with the roles unless it has the whole division."""
    listed = (
        division.label if roles >= WHOLE_DIVISION else f"{division.label} ({role_words(roles)})"
        for division, roles in user.roles().items()
    )
    return ", ".join(listed) or "no division"


def _read_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


tokens = Commands("tokens", help="List and end the sessions of API clients.")


@tokens.command("list")
@click.option("--user", "username", help="Only this account's.")
def list_tokens(username: str | None) -> None:
    """List the signed-in API clients, newest first."""
    if username is not None:
        user_services.get_user(username)
    for session in queries.api_sessions(username):
        columns = (
            session.id[:10],
            session.username,
            f"since {dates.format_local_time(session.since)}",
            f"renewed {dates.format_local_time(session.renewed_at)}",
            f"until {dates.format_local_time(session.expires_at)}",
        )
        kind = ("read-only",) if session.is_read_only else ()
        click.echo("\t".join((*columns, *kind)))


@tokens.command("revoke", context_settings={"ignore_unknown_options": True})
@click.argument("id_", metavar="ID", required=False)
@click.option("--user", "username", help="All of this account's.")
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
