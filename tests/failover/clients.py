"""Clients that change stock without a pause, and one that asks whether the product is ready."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from secrets import token_hex

from tests.chaos.http import ConnectionFailed, send
from tests.person import PASSWORD

PAUSE_SECONDS = 0.2
"""Between two tries; less than Retry-After asks for, to see when it works again."""

MAX_SECONDS_FOR_REPLY = 30.0
GIVES_UP_AFTER_SECONDS = 90.0
SHARED_ITEM = "Shared by all"


@dataclass(frozen=True)
class Reply:
    """A reply, or a connection that failed (status 0), by the clock of this process."""

    begun: float
    ended: float
    status: int
    has_retry_after: bool = False
    body: bytes = b""


@dataclass(frozen=True)
class Change:
    """A change by one client: its item is delivered once, in one piece or not at all."""

    item: str
    begun: float
    acknowledged: float | None


def call(port: int, method: str, path: str, body: object = None, **headers: str) -> Reply:
    """Send a request over a connection of its own."""
    sent = {"Accept": "application/json"}
    if body is not None:
        sent["Content-Type"] = "application/json"
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    content = b"" if body is None else json.dumps(body).encode()
    begun = time.monotonic()
    try:
        reply = send(port, method, path, content, sent, seconds=MAX_SECONDS_FOR_REPLY)
    except ConnectionFailed:
        return Reply(begun, time.monotonic(), 0)
    is_dated = "retry-after" in reply.headers
    return Reply(begun, time.monotonic(), reply.status, is_dated, reply.body)


def access_token(port: int) -> str:
    """Sign the keeper in, and return the token."""
    reply = call(port, "POST", "/api/auth/login", {"username": "keeper", "password": PASSWORD})
    token: str = json.loads(reply.body)["accessToken"]
    return token


@dataclass
class Clients:
    """Clients that send each change to the hosts in turn, under one key, until it is acknowledged.

    Each change delivers an item of its own and one that all changes share.
    """

    ports: Sequence[int]
    number: int
    replies: list[Reply] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    readiness: list[Reply] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Begin to send."""
        token = access_token(self.ports[0])
        for number in range(self.number):
            self._run(lambda number=number: self._change(number, f"Bearer {token}"))
        for port in self.ports:
            self._run(lambda port=port: self._watch(port))

    def stop(self) -> None:
        """Begin no more changes, and wait until those that were begun are acknowledged."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _run(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        thread.start()
        self._threads.append(thread)

    def _change(self, client: int, authorization: str) -> None:
        for count in itertools.count():
            if self._stopped.is_set():
                return
            item = f"Client {client} change {count:06d}"
            lines = [{"name": item, "qty": 1}, {"name": SHARED_ITEM, "qty": 1}]
            body = {"action": "delivery", "date": "2026-01-02", "lines": lines}
            headers = {"Authorization": authorization, "Idempotency_Key": token_hex(16)}
            begun = time.monotonic()
            acknowledged = None
            for port in itertools.cycle(self.ports):
                reply = call(port, "POST", "/api/gfm/inventory/main/bulk", body, **headers)
                self.replies.append(reply)
                if reply.status == 200:
                    acknowledged = reply.ended
                if reply.status == 200 or reply.ended - begun > GIVES_UP_AFTER_SECONDS:
                    break
                time.sleep(PAUSE_SECONDS)
            self.changes.append(Change(item, begun, acknowledged))

    def _watch(self, port: int) -> None:
        while not self._stopped.wait(PAUSE_SECONDS):
            self.readiness.append(call(port, "GET", "/readyz"))
