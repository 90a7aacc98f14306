"""Actions that run concurrently."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import text

from app.db import db

Result = TypeVar("Result")

TIMEOUT_SECONDS = 60


def run_at_once(actions: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run actions in threads that start together; return their results in order."""
    gate = threading.Barrier(len(actions))

    def run(action: Callable[[], Result]) -> Result:
        gate.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions, timeout=TIMEOUT_SECONDS))


def wait_for_lock(work: "Future[Result]") -> None:
    """Wait until work waits for a lock of PostgreSQL, or ends; SQLite has no such locks."""
    if db.session.get_bind().dialect.name == "postgresql":
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        while not work.done() and not db.session.execute(waiting).scalar():
            pass
