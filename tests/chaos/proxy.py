"""A proxy between client and server that loses, doubles and delays requests and replies."""

import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import BinaryIO

FATES = {
    "passed": 50,
    "requests dropped": 12,
    "replies dropped": 14,
    "replies cut": 6,
    "doubled": 10,
    "delayed": 8,
}
"""What happens to requests, by weight."""

MAX_DELAY = 1.0

_CONNECTION = re.compile(rb"(?im)^connection:[^\r\n]*\r\n")


def read_request(stream: BinaryIO) -> bytes:
    """Read a whole request; b"" if the client's connection ends before that."""
    lines, length = [], 0
    while line := stream.readline():
        lines.append(line)
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
        if line == b"\r\n":
            break
    body = stream.read(length)
    return b"".join(lines) + body if len(body) == length else b""


def as_last(request: bytes) -> bytes:
    """Return a request so that the server closes the connection after its reply."""
    head, end, body = request.partition(b"\r\n\r\n")
    first, _, headers = head.partition(b"\r\n")
    headers = _CONNECTION.sub(b"", headers + b"\r\n")
    return first + b"\r\n" + headers + b"Connection: close" + end + body


class FaultyProxy(ThreadingTCPServer):
    """Passes one request of each connection on to a server, as its fate has it.

    With `is_faulty` off it passes all.
    """

    allow_reuse_address = True
    daemon_threads = False

    def __init__(self, target: int, rng: Random) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.is_faulty = True
        self.counts: Counter[str] = Counter()
        self._rng = rng
        self._lock = threading.Lock()

    def draw(self, request: bytes) -> tuple[str, float]:  # noqa: ARG002 (for other proxies)
        """Return the fate of a request, and a delay in seconds."""
        if not self.is_faulty:
            return "passed", 0
        with self._lock:
            (fate,) = self._rng.choices(list(FATES), list(FATES.values()))
            self.counts[fate] += 1
            return fate, self._rng.uniform(0, MAX_DELAY)

    def forward(self, request: bytes) -> bytes:
        """Send a request to the server, and return the whole reply."""
        with socket.create_connection(("127.0.0.1", self.target), 60) as connection:
            connection.sendall(request)
            reply = b""
            while piece := connection.recv(65536):
                reply += piece
            return reply


class _Handler(StreamRequestHandler):
    server: FaultyProxy

    def handle(self) -> None:
        # Either end may break off at any time: to the other that is one more fault.
        with suppress(OSError):
            if request := read_request(self.rfile):
                self._pass_on(as_last(request))

    def _pass_on(self, request: bytes) -> None:
        fate, delay = self.server.draw(request)
        if fate == "requests dropped":
            return
        if fate == "delayed":
            # The client has given up by then, and has sent it again.
            threading.Event().wait(delay)
        reply = self._forward_twice(request) if fate == "doubled" else self.server.forward(request)
        if fate == "replies dropped":
            return
        if fate == "replies cut":
            reply = reply[: len(reply) // 2]
        self.wfile.write(reply)

    def _forward_twice(self, request: bytes) -> bytes:
        other = threading.Thread(target=self.server.forward, args=(request,))
        other.start()
        reply = self.server.forward(request)
        other.join()
        return reply


class PlannedProxy(FaultyProxy):
    """Passes everything on, except what a test has planned for the next requests of a kind.

    `change_request` and `change_reply` may change what passes. `requests` are all that came.
    """

    def __init__(self, target: int) -> None:
        super().__init__(target, Random(0))  # noqa: S311 (draws nothing)
        self._released = threading.Event()
        self.reset()

    def reset(self) -> None:
        """Pass everything on, without any plan."""
        self._plans: list[tuple[bytes, str]] = []
        self._released.set()
        self._arrived = threading.Event()
        self.counts.clear()
        self.requests: list[str] = []
        self.change_request: Callable[[bytes], bytes] = bytes
        self.change_reply: Callable[[bytes, bytes], bytes] = lambda _request, reply: reply

    def plan(self, start: str, fate: str, times: int = 1) -> None:
        """Plan the fate of the next requests that start so, such as 'PUT /api/photos/'."""
        with self._lock:
            self._plans += [(start.encode(), fate)] * times

    def sent(self, start: str) -> int:
        """Return how many requests have come that start so."""
        return sum(request.startswith(start) for request in self.requests)

    @contextmanager
    def holding(self, start: str) -> Iterator[threading.Event]:
        """Hold the next request that starts so until the block ends; yields whether it came."""
        self._released.clear()
        self.plan(start, "held")
        try:
            yield self._arrived
        finally:
            self._released.set()

    def draw(self, request: bytes) -> tuple[str, float]:
        """Return the fate that was planned for a request."""
        with self._lock:
            self.requests.append(request.partition(b"\r\n")[0].decode("latin-1"))
            plan = next((plan for plan in self._plans if request.startswith(plan[0])), None)
            if plan is None:
                return "passed", 0
            self._plans.remove(plan)
            self.counts[plan[1]] += 1
        if plan[1] == "held":
            self._arrived.set()
            self._released.wait(60)
        return plan[1], 0

    def forward(self, request: bytes) -> bytes:
        """Send a request to the server, and return the whole reply, both perhaps changed."""
        return self.change_reply(request, super().forward(self.change_request(request)))


@contextmanager
def passing(proxy: FaultyProxy) -> Iterator[None]:
    """Run a proxy during the block, then wait until all that it forwards has arrived."""
    with proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield
        finally:
            proxy.shutdown()
            thread.join()


@contextmanager
def faulty_proxy(target: int, rng: Random) -> Iterator[FaultyProxy]:
    """Run a proxy that draws each request's fate during the block."""
    proxy = FaultyProxy(target, rng)
    with passing(proxy):
        yield proxy
