"""The commands' shared parts: errors in one line, and progress bars; and `flask version`."""

import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import version as version_of
from typing import Any, ParamSpec, TypeVar

import click
from flask.cli import AppGroup, with_appcontext
from sqlalchemy.exc import DBAPIError

from app.db import db
from app.engines import SQLITE_VERSION
from app.errors import QuartermasterError
from app.revisions import VERSION

P = ParamSpec("P")
R = TypeVar("R")
Step = TypeVar("Step")


def reports_errors(command: Callable[P, R]) -> Callable[P, R]:
    """End a command with `Error: …` and exit code 1 instead of a traceback."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except QuartermasterError as error:
            raise click.ClickException(error.message) from None
        except OSError as error:
            raise click.ClickException(_os_error_message(error)) from None
        except DBAPIError as error:
            raise click.ClickException(
                f"The database can't be used ({error.orig}). Is it running, and did you run: "
                "flask db upgrade?"
            ) from None

    return run


class Commands(AppGroup):
    """A group of commands, each of which `reports_errors`."""

    def command(  # type: ignore[override]
        self, *args: Any, **options: Any
    ) -> Callable[[Callable[..., Any]], click.Command]:
        """Return a decorator that adds a command of a function."""
        add = super().command(*args, **options)
        return lambda function: add(reports_errors(function))


def _os_error_message(error: OSError) -> str:
    if error.filename is None or not error.strerror:
        return error.strerror or str(error)
    reason = error.strerror[0].lower() + error.strerror[1:]
    return f"{error.filename} can't be made, read or written: {reason}."


def progress_bar(
    label: str, length: int | None = None
) -> Callable[[Iterable[Step]], Iterable[Step]]:
    """Return a function that wraps steps in a progress bar on standard error."""

    def bar(steps: Iterable[Step]) -> Iterable[Step]:
        with click.progressbar(steps, length, label, **_bar_options()) as progress:
            yield from progress

    return bar


@contextmanager
def counting_bar(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; call the yielded function with the number of steps done."""
    update_every = max(1, length // 200)
    with click.progressbar(
        length=length, label=label, update_min_steps=update_every, **_bar_options()
    ) as progress:
        yield progress.update


def _bar_options() -> dict[str, Any]:
    return {"file": sys.stderr, "hidden": not sys.stderr.isatty()}


@click.command()
@with_appcontext
def version() -> None:
    """Print the release of the product, and those of Python, Flask and the database library."""
    is_sqlite = db.engine.dialect.name == "sqlite"
    database = f"SQLite {SQLITE_VERSION}" if is_sqlite else f"psycopg {version_of('psycopg')}"
    click.echo(
        f"Quartermaster {VERSION}, Python {platform.python_version()}, "
        f"Flask {version_of('flask')}, {database}"
    )
