"""What the commands share: errors end them in one line, not in a traceback."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import click
from sqlalchemy.exc import DBAPIError

from app.errors import QuartermasterError

P = ParamSpec("P")
R = TypeVar("R")
Step = TypeVar("Step")


def reports_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turn a refusal into `Error: …` and exit status 1."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except QuartermasterError as error:
            raise click.ClickException(error.message) from None
        except OSError as error:
            raise click.ClickException(_in_words(error)) from None
        except DBAPIError as error:
            raise click.ClickException(
                f"The database can't be used ({error.orig}). Is it running, and did you run: "
                "flask db upgrade?"
            ) from None

    return run


def _in_words(error: OSError) -> str:
    """Say which file or folder the system refuses, and why."""
    if error.filename is None or not error.strerror:
        return error.strerror or str(error)
    reason = error.strerror[0].lower() + error.strerror[1:]
    return f"{error.filename} can't be made, read or written: {reason}."


def progress_bar(
    label: str, length: int | None = None
) -> Callable[[Iterable[Step]], Iterable[Step]]:
    """Return what shows on standard error how far a piece of work is, step by step."""

    def bar(steps: Iterable[Step]) -> Iterable[Step]:
        with click.progressbar(steps, length, label, **_shown_to_people()) as shown:
            yield from shown

    return bar


@contextmanager
def counting_bar(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Show how far a piece of work is that tells of each few steps it has done."""
    few = max(1, length // 200)
    with click.progressbar(
        length=length, label=label, update_min_steps=few, **_shown_to_people()
    ) as shown:
        yield shown.update


def _shown_to_people() -> dict[str, Any]:
    """Return the options that keep what cron sends home free of bars."""
    return {"file": sys.stderr, "hidden": not sys.stderr.isatty()}
