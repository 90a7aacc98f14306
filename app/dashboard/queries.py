"""Independent reads of one page: a failing one leaves the others visible."""

import logging
from collections.abc import Callable, Hashable
from typing import TypeVar, TypeVarTuple, cast

from sqlalchemy.exc import SQLAlchemyError

from app.db import db

log = logging.getLogger(__name__)

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class ReadFailed(Exception):
    """A read of the page fails, or has failed before."""


class Reads:
    """Runs each read once; a read that fails sets `failed`."""

    def __init__(self) -> None:
        self.failed = False
        self._results: dict[Hashable, object] = {}

    def __call__(self, read: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return the result of a read. Raises ReadFailed."""
        call = (read, arguments)
        if call not in self._results:
            try:
                self._results[call] = read(*arguments)
            except SQLAlchemyError:
                self._results[call] = ReadFailed
                log.exception("Failed to load dashboard")
                # PostgreSQL refuses all further statements of a failed transaction.
                db.session.rollback()
                self.failed = True
        if self._results[call] is ReadFailed:
            raise ReadFailed
        return cast("Result", self._results[call])

    def attempt(self, load: Callable[..., Result], *arguments: object) -> Result | None:
        """Return what a function returns that reads, or None if a read fails."""
        try:
            return load(*arguments)
        except ReadFailed:
            return None
