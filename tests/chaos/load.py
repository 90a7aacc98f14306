"""Clients that submit bulk updates, each again under its key until it is answered."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from tests.chaos.books import Books, Submission, bulk
from tests.chaos.http import Account, ConnectionFailed, Reply, send

ITEMS = [f"Item {number:02d}" for number in range(40)]
SITES = ("main", "guildford")
LINES = 20
PATIENCE = 120.0
"""For how many seconds a client sends a submission again."""

PAUSE = 0.05
TRY_LATER = (503, 507)


def generator(start: int | str) -> Random:
    """Return a generator of choices, the same for the same start."""
    return Random(start)  # noqa: S311 (nothing secret)


def submissions(prefix: str, rng: Random) -> Iterator[Submission]:
    """Yield deliveries, withdrawals and transfers of some items."""
    for number in itertools.count():
        lines = {name: rng.randint(1, 5) for name in rng.sample(ITEMS, LINES)}
        site, other = rng.sample(SITES, 2)
        action = rng.choice(["delivery", "withdrawal", "transfer"])
        destination = other if action == "transfer" else ""
        yield bulk(f"{prefix}-{number}", action, site, lines, destination=destination)


def post(account: Account, submission: Submission, port: int, seconds: float = 60) -> Reply:
    """Send a submission once; raises ConnectionFailed."""
    headers = account.headers(
        **{"Content-Type": "application/json", "Idempotency-Key": submission.key}
    )
    return send(port, "POST", submission.path, submission.body, headers, seconds=seconds)


@dataclass
class Clients:
    """Threads that submit; `timeout` is that of the first sending, later ones wait longer."""

    account: Account
    books: Books
    rng: Random
    number: int = 4
    limit: int | None = None
    timeout: float = 60.0
    port: int = 0
    _ends: threading.Event = field(default_factory=threading.Event, init=False)

    def __post_init__(self) -> None:
        self.port = self.port or self.account.port
        self.busy: list[Reply] = []
        self._left = threading.Semaphore(self.limit) if self.limit else None
        prefix = f"chaos-{self.rng.getrandbits(32):x}"
        self._threads = [
            threading.Thread(
                target=self._work, args=(f"{prefix}-{client}", self.rng.getrandbits(32))
            )
            for client in range(self.number)
        ]

    def start(self) -> None:
        """Start to submit."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Submit nothing new, and wait until everything is answered."""
        self._ends.set()
        self.join()

    def join(self) -> None:
        """Wait until everything is answered."""
        for thread in self._threads:
            thread.join()

    def wait_for_progress(self, number: int = 1, seconds: float = 60) -> float:
        """Wait until so many more are acknowledged, and return after how many seconds."""
        before = len(self.books.acknowledged)
        return self.wait_until(lambda: len(self.books.acknowledged) >= before + number, seconds)

    def wait_until(self, is_true: Callable[[], bool], seconds: float = 60) -> float:
        """Wait until something is true, and return after how many seconds."""
        begun = time.monotonic()
        while not is_true():
            if time.monotonic() > begun + seconds:
                self.books.fault(f"what was waited for did not happen within {seconds:.0f} s")
                break
            time.sleep(0.005)
        return time.monotonic() - begun

    def _work(self, prefix: str, start: int) -> None:
        for submission in submissions(prefix, generator(start)):
            if self._ends.is_set() or (self._left and not self._left.acquire(blocking=False)):
                return
            self.submit(submission)

    def submit(self, submission: Submission) -> None:
        """Send a submission until it is answered, or for as long as the patience lasts."""
        self.books.submit(submission)
        ends = time.monotonic() + PATIENCE
        for attempt in itertools.count(1):
            try:
                seconds = min(60.0, self.timeout * attempt)
                reply = post(self.account, submission, self.port, seconds)
            except ConnectionFailed:
                self.books.count("without reply")
            else:
                if self._is_final(submission, reply):
                    return
            if time.monotonic() > ends:
                self.books.fault(f"{submission.key} had no answer in {PATIENCE:.0f} s")
                return
            time.sleep(PAUSE)

    def _is_final(self, submission: Submission, reply: Reply) -> bool:
        if reply.status == 200:
            self.books.acknowledge(submission.key, reply.json["operation"])
            return True
        if reply.status in TRY_LATER:
            self.books.count(str(reply.status))
            if "retry-after" not in reply.headers:
                self.books.fault(f"{reply.status} without Retry-After: {reply.body[:200]!r}")
            self.busy.append(reply)
            return False
        if reply.status == 401:
            self.books.count("signed in again")
            self.account.sign_in()
            return False
        if reply.status >= 500:
            self.books.fault(f"{submission.key}: {reply.status} {reply.body[:200]!r}")
            return False
        self.books.refuse(submission.key, f"{reply.status} {reply.body[:200]!r}")
        return True

    def resend(self, number: int) -> None:
        """Send some of what was acknowledged again: the same is confirmed."""
        keys = sorted(self.books.acknowledged)
        for key in self.rng.sample(keys, min(number, len(keys))):
            self.submit(self.books.submissions[key])
            self.books.count("replayed")


@contextmanager
def working(clients: Clients) -> Iterator[Clients]:
    """Let clients submit during the block, then wait for their answers."""
    clients.start()
    try:
        yield clients
    finally:
        clients.stop()
