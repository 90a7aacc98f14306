"""The group behind `flask`: it imports a command when somebody uses it."""

import os
import sys
from collections.abc import Mapping

import click
from flask.cli import AppGroup
from werkzeug.utils import import_string


class LazyGroup(AppGroup):
    """A group of commands, each imported from its path when it runs; `--help` imports them all."""

    def __init__(self, name: str, paths: Mapping[str, str]) -> None:
        super().__init__(name)
        self._paths = paths

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self._paths})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with a name, or None."""
        if cmd_name not in self._paths:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_string(self._paths[cmd_name])
        return command


def command_to_run() -> str | None:
    """Return the command that `flask` was called with; None in servers and after an option."""
    is_flask = os.environ.get("FLASK_RUN_FROM_CLI") == "true"
    return sys.argv[1] if is_flask and len(sys.argv) > 1 else None
