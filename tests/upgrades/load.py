"""A little load: people who read pages and programs that change stock, until they are stopped."""

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

from tests.chaos.http import Reply, send

CLIENTS = 4
PATHS = (
    "/api/gfm/inventory/main",
    "/api/gfm/history?limit=25",
    "/api/gpm/deliveries",
    "/api/fleet/vehicles",
    "/api/assets?limit=25",
)
ITEM = "HAND WARMER UNION JACK"
"""An item of the demo data; it is delivered and withdrawn in turn."""


@dataclass
class Replies:
    """What was answered: how often each status, and the longest time in seconds."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    longest: float = 0.0

    def add(self, request: str, status: int, seconds: float) -> None:
        """Count a reply; one that isn't a success is kept with its request."""
        self.statuses[status] += 1
        self.longest = max(self.longest, seconds)
        if status not in (200, 201):
            self.failures.append(f"{status} {request}")

    def __str__(self) -> str:
        counted = ", ".join(f"{n:,} × {status}" for status, n in sorted(self.statuses.items()))
        return f"{counted}; the slowest took {self.longest:.2f} s"


class Client:
    """A program that is signed in; it sends each request to the next of the ports."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = cycle(ports)
        self._headers: dict[str, str] = {}
        account = {"username": "manager", "password": "manager-demo-2026"}
        reply = self.send("POST", "/api/auth/login", account)
        if reply.status != 200:
            raise RuntimeError(f"Signing in was answered by {reply.status}")
        self._headers = {"Authorization": f"Bearer {reply.json['accessToken']}"}

    def send(self, method: str, path: str, content: object = None) -> Reply:
        """Send a request on a connection of its own."""
        headers, body = dict(self._headers), b""
        if content is not None:
            body = json.dumps(content).encode()
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        return send(next(self._ports), method, path, body, headers)


@contextmanager
def load(ports: Sequence[int]) -> Iterator[Replies]:
    """Keep CLIENTS busy while the block runs; yields what is answered, complete at its end."""
    replies, ended, counting = Replies(), threading.Event(), threading.Lock()
    clients = [Client(ports) for _ in range(CLIENTS)]

    def work(number: int) -> None:
        client = clients[number]
        operations = cycle(("inc", "dec"))
        paths = cycle(PATHS[number:] + PATHS[:number])
        while not ended.is_set():
            operation = {"type": next(operations), "id": ITEM, "delta": 1}
            requests = (
                ("PATCH", "/api/gfm/inventory/main", {"ops": [operation], "team": "Kitchen"}),
                ("GET", next(paths), None),
            )
            for method, path, content in requests:
                begun = time.monotonic()
                reply = client.send(method, path, content)
                with counting:
                    replies.add(f"{method} {path}", reply.status, time.monotonic() - begun)

    with ThreadPoolExecutor(CLIENTS) as pool:
        workers = [pool.submit(work, number) for number in range(CLIENTS)]
        try:
            yield replies
        finally:
            ended.set()
        for worker in workers:
            worker.result()
