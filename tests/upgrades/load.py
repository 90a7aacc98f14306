"""A little load: people who read pages and programs that change stock, until they are stopped."""

import http.client
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
        status, body = self.send("POST", "/api/auth/login", account)
        if status != http.client.OK:
            raise RuntimeError(f"Signing in was answered by {status}")
        self._headers = {"Authorization": f"Bearer {json.loads(body)['accessToken']}"}

    def send(self, method: str, path: str, content: object = None) -> tuple[int, bytes]:
        """Send a request on a connection of its own; return the status and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", next(self._ports), timeout=60)
        headers = {"Connection": "close", **self._headers}
        if content is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        try:
            body = json.dumps(content) if content is not None else None
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()


@contextmanager
def load(ports: Sequence[int]) -> Iterator[Replies]:
    """Keep CLIENTS busy while the block runs; yields what is answered, complete at its end."""
    replies, ended = Replies(), threading.Event()
    counting = threading.Lock()

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
                status, _ = client.send(method, path, content)
                with counting:
                    replies.add(f"{method} {path}", status, time.monotonic() - begun)

    with ThreadPoolExecutor(CLIENTS) as pool:
        workers = [pool.submit(work, number) for number in range(CLIENTS)]
        try:
            yield replies
        finally:
            ended.set()
        for worker in workers:
            worker.result()
