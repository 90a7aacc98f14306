"""The line between a browser and the product, which a test can cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any


class Line(ThreadingTCPServer):
    """Passes connections on to a server's port; cut it loses them, silent it answers nothing."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, target: int) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.target = target
        self.is_cut = False
        self.is_silent = False
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def cut(self) -> None:
        """Lose all connections, and each new one."""
        self.is_cut = True
        self.drop()

    def restore(self) -> None:
        """Pass new connections on again."""
        self.is_cut = self.is_silent = False
        self.drop()

    def silence(self) -> None:
        """Take new connections, and never answer."""
        self.is_silent = True
        self.drop()

    def add(self, *sockets: socket.socket) -> None:
        with self._lock:
            self._sockets.update(sockets)

    def drop(self) -> None:
        """Close all connections."""
        with self._lock:
            dropped, self._sockets = self._sockets, set()
        for each in dropped:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_: Any) -> None:
        """Keep quiet about connections that a browser has closed."""


class _Connection(BaseRequestHandler):
    server: Line
    request: socket.socket

    def handle(self) -> None:
        if self.server.is_cut:
            return
        self.server.add(self.request)
        if self.server.is_silent:
            _pass_on(self.request, None)
            return
        with socket.create_connection(("127.0.0.1", self.server.target)) as upstream:
            self.server.add(upstream)
            back = threading.Thread(target=_pass_on, args=(upstream, self.request))
            back.start()
            _pass_on(self.request, upstream)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket | None) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            if target is not None:
                target.sendall(piece)
    if target is not None:
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """Run a line to a port of this machine during the block."""
    with Line(port) as line:
        thread = threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield line
        finally:
            line.drop()
            line.shutdown()
            thread.join()
