"""Reads that don't depend on each other: what one can't show leaves the rest in sight."""

import logging
from collections.abc import Callable, Hashable
from typing import ParamSpec, TypeVar, cast

from sqlalchemy.exc import SQLAlchemyError

from app.db import db

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Reads:
    """Does each read once; one that fails gives None and sets `failed` (seed §7)."""

    def __init__(self) -> None:
        self.failed = False
        self._found: dict[Hashable, object] = {}

    def __call__(
        self,
        read: Callable[Arguments, Found],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Found | None:
        """Return what a read finds."""
        asked = (read, arguments, tuple(named.items()))
        if asked not in self._found:
            self._found[asked] = self._try(lambda: read(*arguments, **named))
        return cast("Found | None", self._found[asked])

    def _try(self, read: Callable[[], Found]) -> Found | None:
        try:
            return read()
        except SQLAlchemyError:
            log.exception("Failed to load dashboard")
            # PostgreSQL answers nothing more in a transaction that has failed.
            db.session.rollback()
            self.failed = True
            return None
