"""A line to a server on this machine, which can be slow, hang, or be cut."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from enum import Enum

PIECE = 64 * 1024


class State(Enum):
    """What the line does with bytes and new connections."""

    WORKS = "works"
    SLOW = "slow"
    HANGS = "hangs"
    CUT = "cut"


class Line:
    """Passes bytes both ways; when slow, each piece takes `delay` seconds longer."""

    def __init__(self, target: int, delay: float = 0.5) -> None:
        self.state = State.WORKS
        self._target = target
        self._delay = delay
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Cut the line for good."""
        self._ended.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with closing(client), suppress(OSError):
            if self.state is State.CUT:
                return
            with socket.create_connection(("127.0.0.1", self._target)) as server:
                others = {client: server, server: client}
                while not self._ended.is_set() and self.state is not State.CUT:
                    if self.state is State.HANGS:
                        self._ended.wait(0.1)
                        continue
                    for source in select.select([client, server], [], [], 0.1)[0]:
                        piece = source.recv(PIECE)
                        if not piece:
                            return
                        if self.state is State.SLOW:
                            self._ended.wait(self._delay)
                        others[source].sendall(piece)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """Yield a line to a port until the block ends."""
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
