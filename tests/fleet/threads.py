"""Actions that run concurrently."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from sqlalchemy import text

from app.db import db

Result = TypeVar("Result")

TIMEOUT_SECONDS = 60


def run_at_once(actions: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run actions in threads that start together; return their results in order."""
    gate = threading.Barrier(len(actions))
    results: dict[int, Result] = {}

    def run(index: int, action: Callable[[], Result]) -> None:
        gate.wait()
        results[index] = action()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_SECONDS)
    return [results[index] for index in range(len(actions))]


def wait_for_lock(work: "Future[Result]") -> None:
    """Wait until work waits for a lock of PostgreSQL, or ends; SQLite has no such locks."""
    if db.session.get_bind().dialect.name == "postgresql":
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        while not work.done() and not db.session.execute(waiting).scalar():
            pass
