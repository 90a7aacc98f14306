"""A proxy between client and server that loses, doubles and delays requests and replies."""

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from socketserver import StreamRequestHandler, ThreadingTCPServer

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


class FaultyProxy(ThreadingTCPServer):
    """Passes one request of each connection on to a server, as its fate has it."""

    allow_reuse_address = True
    daemon_threads = False

    def __init__(self, target: int, rng: Random) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.counts: Counter[str] = Counter()
        self._rng = rng
        self._lock = threading.Lock()

    def draw(self) -> tuple[str, float]:
        """Return the fate of the next request, and a delay in seconds."""
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
        request = self._request()
        fate, delay = self.server.draw()
        if not request or fate == "requests dropped":
            return
        if fate == "delayed":
            # The client has given up by then, and has sent it again.
            threading.Event().wait(delay)
        reply = self._forward_twice(request) if fate == "doubled" else self.server.forward(request)
        if fate == "replies dropped":
            return
        if fate == "replies cut":
            reply = reply[: len(reply) // 2]
        try:
            self.wfile.write(reply)
        except OSError:
            return

    def _forward_twice(self, request: bytes) -> bytes:
        other = threading.Thread(target=self.server.forward, args=(request,))
        other.start()
        reply = self.server.forward(request)
        other.join()
        return reply

    def _request(self) -> bytes:
        lines, length = [], 0
        while line := self.rfile.readline():
            lines.append(line)
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
            if line == b"\r\n":
                break
        return b"".join(lines) + self.rfile.read(length)


@contextmanager
def faulty_proxy(target: int, rng: Random) -> Iterator[FaultyProxy]:
    """Run a proxy during the block, then wait until all that it forwards has arrived."""
    with FaultyProxy(target, rng) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
