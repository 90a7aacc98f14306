"""The gateway from granian's RSGI interface to the WSGI application.

The event loop receives a body before a thread runs the application, and sends the reply after the
thread is free again. A large body, or one without an announced size, is received only when the
application reads it: the application first runs without it, so that it can refuse (401, 404, 405,
413) before anything is read.
"""

import asyncio
import io
import logging
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import IO, Any

from app.logs import (
    READ_METHODS,
    REQUEST_ID,
    WAITED,
    RequestEntry,
    current_request,
    finish_request,
    request_id,
)
from app.server.bodies import (
    BodyCutOff,
    BodyNeeded,
    BodyTooLarge,
    PendingBody,
    TooSlow,
    receive_body,
)

RECEIVED_AT_ONCE = 64 * 1024
"""A body announced as no larger than this is received before the application runs."""

THREADS = 4
"""Threads for reading requests, and as many for changing ones: waiting writers stop no reader."""

SWITCH_SECONDS = 0.0001
"""How long a thread may compute while others wait: with Python's 0.005, reads took 0.5 s beside a
large import, since a request takes turns with it dozens of times."""

MAX_WAITING = 128
"""Requests that may wait for a thread of a kind; further ones are refused at once."""

MAX_REPLY_IN_MEMORY = 1024 * 1024
OPENED_WITHIN_SECONDS = 10.0
"""How long the file of a reply stays open for granian to open it, too."""

log = logging.getLogger(__name__)
UNREADABLE = "\xff"
"""Stands for the value of a header that isn't ASCII; no header has it as a valid value."""

Headers = list[tuple[str, str]]


@dataclass
class ServerReply:
    """A reply of the application; a large body is in a temporary file."""

    status: int
    headers: Headers
    body: bytes = b""
    file: IO[bytes] | None = None


def refusal(status: HTTPStatus, message: str) -> ServerReply:
    """Return a reply of the gateway itself, as plain text; the connection is closed after it."""
    headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("retry-after", "2"))
    return ServerReply(status, headers, f"{message}\n".encode())


class TooManyWait(Exception):
    """As many requests wait for a thread as may."""


_REFUSALS: Mapping[type[BaseException], tuple[HTTPStatus, str]] = {
    TooManyWait: (HTTPStatus.SERVICE_UNAVAILABLE, "Too many requests at once. Try again."),
    BodyCutOff: (HTTPStatus.BAD_REQUEST, "The request arrived only in part. Send it again."),
    TooSlow: (HTTPStatus.REQUEST_TIMEOUT, "The request arrived too slowly. Send it again."),
    asyncio.CancelledError: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The server is restarting. Send it again in a moment.",
    ),
}
_FAULT = (
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "Something went wrong on our side. Try again in a moment.",
)


class Pool:
    """Threads for one kind of request, with a limit on waiting requests."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self._waiting = 0

    async def run(self, application: Any, environ: dict[str, Any]) -> ServerReply | None:
        """Run the application in a thread; return None if it needs the body. Raises TooManyWait."""
        if self._waiting >= MAX_WAITING + THREADS:
            raise TooManyWait
        self._waiting += 1
        queued_at = time.monotonic()

        def run() -> ServerReply | None:
            waited = {WAITED: time.monotonic() - queued_at}
            return run_application(application, environ | waited)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, run)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Let the running requests end, and start no more."""
        self._threads.shutdown(cancel_futures=True)


class Gateway:
    """Calls a WSGI application for granian's requests; `max_body` limits bodies of unknown size."""

    def __init__(self, application: Any, max_body: int) -> None:
        self._application = application
        self._max_body = max_body

    def __rsgi_init__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, in the process that uses them."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._readers, self._writers = Pool("read"), Pool("change")
        self._files: deque[IO[bytes]] = deque()
        self._receiving: set[asyncio.Task[Any] | None] = set()

    def stop_receiving(self) -> None:
        """Refuse the requests that haven't arrived whole, since the server is stopping."""
        for task in self._receiving:
            if task is not None:
                task.cancel()

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Wait for the requests that are running."""
        self._readers.close()
        self._writers.close()
        for file in self._files:
            file.close()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Reply to one request."""
        environ = wsgi_environ(scope)
        try:
            reply = await self._reply(environ, protocol)
        except (Exception, asyncio.CancelledError) as error:
            if type(error) not in _REFUSALS:
                log.exception("Request %s failed", environ[REQUEST_ID])
            reply = refusal(*_REFUSALS.get(type(error), _FAULT))
            _log_refusal(environ, reply)
        self._send(reply, protocol)

    def _send(self, reply: ServerReply, protocol: Any) -> None:
        """Send a reply; granian sends a file piece by piece, as the client reads it."""
        if reply.file is None:
            protocol.response_bytes(reply.status, reply.headers, reply.body)
            return
        # The file has no name, so nothing is left behind; granian opens its descriptor anew.
        protocol.response_file(reply.status, reply.headers, f"/proc/self/fd/{reply.file.fileno()}")
        self._files.append(reply.file)
        loop = asyncio.get_running_loop()
        loop.call_later(OPENED_WITHIN_SECONDS, lambda: self._files.popleft().close())

    async def _reply(self, environ: dict[str, Any], protocol: Any) -> ServerReply:
        pool = self._readers if environ["REQUEST_METHOD"] in READ_METHODS else self._writers
        size = announced_size(environ)
        if size is None or size > RECEIVED_AT_ONCE:
            pending = {"wsgi.input": PendingBody(), "wsgi.input_terminated": True}
            reply = await pool.run(self._application, environ | pending)
            if reply is not None:
                reply.headers.append(("connection", "close"))
                return reply
        body, received = (io.BytesIO(), 0) if size == 0 else await self._receive(protocol, size)
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ |= {"wsgi.input": body, "CONTENT_LENGTH": str(received)}
        with body:
            reply = await pool.run(self._application, environ)
        if reply is None:
            raise RuntimeError("The application has its body already.")
        return reply

    async def _receive(self, protocol: Any, announced: int | None) -> tuple[IO[bytes], int]:
        task = asyncio.current_task()
        self._receiving.add(task)
        try:
            return await receive_body(protocol, announced, self._max_body)
        except BodyTooLarge:
            return io.BytesIO(), self._max_body + 1
        finally:
            self._receiving.remove(task)


def _log_refusal(environ: dict[str, Any], reply: ServerReply) -> None:
    entry = RequestEntry(environ[REQUEST_ID], environ["REQUEST_METHOD"])
    entry.status, entry.size = reply.status, len(reply.body)
    reply.headers.append(("x-request-id", entry.id))
    previous = current_request.set(entry)
    finish_request(entry)
    current_request.reset(previous)


def wsgi_environ(scope: Any) -> dict[str, Any]:
    """Return the WSGI environment of a request, without its body.

    A repeated header becomes one value, as in CGI. Names with an underscore are left out, since
    they would pass for names with a dash, such as a proxy's.
    """
    server, _, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in all_headers(scope.headers):
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        separator = "; " if key == "HTTP_COOKIE" else ","
        if key == "HTTP_HOST":
            # Names of hosts have no case, but Flask compares them with TRUSTED_HOSTS as they are.
            value = value.lower()
        environ[key] = f"{environ[key]}{separator}{value}" if key in environ else value
    environ[REQUEST_ID] = request_id(environ.get("HTTP_TRACEPARENT"))
    return environ


def all_headers(headers: Any) -> list[tuple[str, str]]:
    """Return names and values; one that isn't ASCII, which granian leaves out, is UNREADABLE.

    An unreadable key or version must be refused, not taken for a missing one.
    """
    found: list[tuple[str, str]] = headers.items()
    if len(found) < len(headers.keys()):
        found += [(name, UNREADABLE) for name in headers.keys() - dict(found).keys()]
    return found


def announced_size(environ: dict[str, Any]) -> int | None:
    """Return the size in bytes that a request announces for its body, None if it doesn't."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    size: str = environ.get("CONTENT_LENGTH", "0")
    return int(size) if size.isdecimal() else None


def run_application(application: Any, environ: dict[str, Any]) -> ServerReply | None:
    """Run the application to the end of its reply; return None if it needs the body.

    The database connection of a streamed reply is so given back before the client reads it.
    """
    started: list[Any] = []

    def start_response(status: str, headers: Headers, _error: Any = None) -> None:
        started[:] = status, headers

    try:
        pieces = application(environ, start_response)
    except BodyNeeded:
        return None
    try:
        body, file = collect(pieces)
    finally:
        if hasattr(pieces, "close"):
            pieces.close()
    status, headers = started
    lower_case = [(name.lower(), value) for name, value in headers]
    return ServerReply(int(status[:3]), lower_case, body, file)


def collect(pieces: Iterable[bytes]) -> tuple[bytes, IO[bytes] | None]:
    """Return a small body as bytes, or b'' and a temporary file."""
    parts: list[bytes] = []
    size = 0
    file: IO[bytes] | None = None
    for piece in pieces:
        size += len(piece)
        if file is None and size > MAX_REPLY_IN_MEMORY:
            file = tempfile.TemporaryFile()  # noqa: SIM115 (closed once it is sent)
            file.writelines(parts)
            parts.clear()
        if file is None:
            parts.append(piece)
        else:
            file.write(piece)
    if file is not None:
        file.flush()
    return b"".join(parts), file
