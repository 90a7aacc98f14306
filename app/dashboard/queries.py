"""Independent reads of one page: a failing one leaves the others visible."""

import logging
from collections.abc import Callable, Hashable
from typing import ParamSpec, TypeVar, cast

from sqlalchemy.exc import SQLAlchemyError

from app.db import db

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Reads:
    """Runs each read once; a read that fails returns None and sets `failed`."""

    def __init__(self) -> None:
        self.failed = False
        self._results: dict[Hashable, object] = {}

    def __call__(
        self,
        read: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Result | None:
        """Return the result of a read, or None if it has failed."""
        call = (read, arguments, tuple(named.items()))
        if call not in self._results:
            try:
                self._results[call] = read(*arguments, **named)
            except SQLAlchemyError:
                self._results[call] = None
                log.exception("Failed to load dashboard")
                # PostgreSQL refuses all further statements of a failed transaction.
                db.session.rollback()
                self.failed = True
        return cast("Result | None", self._results[call])
