"""The queue of SQLite's writers: each gets its turn instead of polling the database for its lock.

SQLite has one writer at a time. Waiting writers try again at growing intervals, so under load the
lock often stays free, or goes to one that happens to try, and some wait for seconds. The kernel's
`flock` on a file beside the database wakes them in turn, and releases the turn of a dead process.
The queue only decides who is next: the database's own lock keeps writers apart, also those without
a turn.
"""

import fcntl
import os
import time

from sqlalchemy.exc import TimeoutError as WaitedTooLong

SUFFIX = "-queue"
"""Ends the name of the queue's file, as -wal and -shm do of SQLite's own."""


class WriteTurn:
    """A writer's turn, until it is ended; `seconds_left` it may still wait for the database."""

    def __init__(self, descriptor: int | None, seconds_left: float) -> None:
        self.seconds_left = seconds_left
        self._descriptor = descriptor

    def end(self) -> None:
        """Let the next writer go on; a turn that has ended stays so."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        # Closing isn't enough if a child was forked meanwhile: it has the same open file.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def wait_for_turn(database: str | None, seconds: float) -> WriteTurn:
    """Wait for the caller's turn to write to a SQLite database.

    Without a file (None, or a folder where none can be created) there is no queue. `seconds` covers
    the whole wait, here and then for the database; 0 is not to wait at all. The kernel's lock has
    no time limit: a writer whose turn comes too late gives it up at once, and raises WaitedTooLong.
    """
    begun = time.monotonic()
    descriptor = _open(database + SUFFIX) if database else None
    if descriptor is None:
        return WriteTurn(None, seconds)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if seconds else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise WaitedTooLong("Another writer is at work.") from None
    except BaseException:
        os.close(descriptor)
        raise
    turn = WriteTurn(descriptor, max(0.0, seconds - (time.monotonic() - begun)))
    if seconds and not turn.seconds_left:
        turn.end()
        raise WaitedTooLong("The other writers took too long.")
    return turn


def _open(path: str) -> int | None:
    """Open the queue's file, each time anew: one open file is one place in the queue."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        return None
