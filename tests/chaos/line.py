"""A line between browsers and a server, which can be cut, slow, silent or a captive portal's."""

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum

LATENCY = 2.0
"""Of a slow line, there and back, in seconds."""
BYTES_PER_SECOND = 50_000

_PORTAL = b"<!doctype html><title>Welcome</title><h1>Welcome to the hotel</h1><p>Accept the terms."
_PORTAL_REPLY = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_PORTAL), _PORTAL)
)
_RESET = struct.pack("ii", 1, 0)


class State(Enum):
    """What a line does with connections."""

    GOOD = "passes everything"
    SLOW = "passes everything, slowly"
    CUT = "resets each connection"
    SILENT = "accepts connections and passes nothing"
    PORTAL = "answers everything by a page of its own"


class Line:
    """Passes the bytes of connections on to a port, as its state has it.

    Setting another state ends the connections that are open. `target` may change meanwhile.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self._state = State.GOOD
        self._open: set[asyncio.StreamWriter] = set()
        self._free = {"up": 0.0, "down": 0.0}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        listening = asyncio.start_server(self._connect, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.port: int = self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def become(self, state: State) -> None:
        """Set the state, and end all connections."""
        asyncio.run_coroutine_threadsafe(self._become(state), self._loop).result()

    def close(self) -> None:
        """End all connections and stop listening."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _become(self, state: State) -> None:
        self._state = state
        for writer in list(self._open):
            _reset(writer)

    async def _end(self) -> None:
        self._server.close()
        await self._become(State.CUT)
        current = asyncio.current_task()
        await asyncio.gather(*(asyncio.all_tasks() - {current}), return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        finally:
            self._open.discard(writer)
            if self._state is State.CUT:
                _reset(writer)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match self._state:
            case State.GOOD | State.SLOW:
                await self._pass_on(reader, writer, is_slow=self._state is State.SLOW)
            case State.SILENT:
                while await reader.read(65536):
                    continue
            case State.PORTAL:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(_PORTAL_REPLY)
                await writer.drain()
                writer.write_eof()
                # Closing before all has been read would take the reply back.
                while await reader.read(65536):
                    continue

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_slow: bool
    ) -> None:
        if is_slow:
            await asyncio.sleep(LATENCY)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        self._open.add(far_writer)
        try:
            copy = self._copy_slowly if is_slow else _copy
            await asyncio.gather(copy(reader, far_writer, "up"), copy(far_reader, writer, "down"))
        finally:
            self._open.discard(far_writer)
            far_writer.close()

    async def _copy_slowly(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str
    ) -> None:
        while data := await reader.read(1500):
            due = max(self._loop.time() + LATENCY / 2, self._free[way])
            due += len(data) / BYTES_PER_SECOND
            self._free[way] = due
            self._loop.call_at(due, _write, writer, data)
        await asyncio.sleep(max(0.0, self._free[way] - self._loop.time()) + LATENCY / 2)
        if writer.can_write_eof():
            writer.write_eof()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _way: str) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    if not writer.is_closing():
        writer.write(data)


def _reset(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


@contextmanager
def line_to(target: int) -> Iterator[Line]:
    """Open a line to a port during the block."""
    line = Line(target)
    try:
        yield line
    finally:
        line.close()
