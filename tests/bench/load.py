"""The load: requests from several clients at once, sent by a process of its own."""

import itertools
import multiprocessing
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.pool import Pool

from tests.bench.calls import BY_NAME, Request, Session

SUCCESSFUL = (200, 201)
REQUESTS_PER_CONNECTION = 50
"""New connections are distributed anew over the workers."""


@dataclass(frozen=True)
class Job:
    """Requests to send: the calls in turn, or GET `path`, for so long or so many in all.

    The call `change` is sent before each of them, and isn't timed.
    """

    port: int
    session: Session | None = None
    calls: Sequence[str] = ()
    path: str = ""
    clients: int = 1
    seconds: float = 0
    requests: int = 0
    change: str = ""


@dataclass(frozen=True)
class Timing:
    """The times of requests, sorted, and the CPU time that sending them took."""

    milliseconds: Sequence[float]
    seconds: float
    cpu_seconds: float


class Client:
    """A client with one connection at a time; it does little, so that the server gets the CPU."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._left = 0

    def send(self, request: Request) -> float:
        """Send a request, read the reply, and return the milliseconds that took."""
        if not self._left:
            self.close()
            self._socket = socket.create_connection(("127.0.0.1", self._port), 120)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._file = self._socket.makefile("rb")
            self._left = REQUESTS_PER_CONNECTION
        self._left -= 1
        content = encode(request, self._port)
        begins = time.perf_counter()
        self._socket.sendall(content)
        status = self._read_reply()
        took = (time.perf_counter() - begins) * 1000
        if status not in SUCCESSFUL:
            raise RuntimeError(f"{request[0]} {request[1]} was answered by {status}")
        return took

    def close(self) -> None:
        """Close the connection if one is open."""
        if hasattr(self, "_socket"):
            self._file.close()
            self._socket.close()

    def _read_reply(self) -> int:
        status = int(self._file.readline().split(None, 2)[1])
        length = 0
        while (line := self._file.readline().lower()) not in (b"\r\n", b""):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
            elif line.startswith(b"transfer-encoding:"):
                self._read_chunks()
                return status
        self._file.read(length)
        return status

    def _read_chunks(self) -> None:
        while self._file.readline() != b"\r\n":
            pass
        while size := int(self._file.readline(), 16):
            self._file.read(size + 2)
        self._file.readline()


def encode(request: Request, port: int) -> bytes:
    """Return a request as it is sent."""
    method, path, body, headers = request
    sent = {"Host": f"127.0.0.1:{port}"} | headers
    if body or method != "GET":
        sent["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def send_all(job: Job) -> Timing:
    """Send a job's requests from all of its clients."""
    turns = itertools.cycle(job.calls or [""])
    cpu, begins = time.process_time(), time.perf_counter()
    ends = begins + job.seconds
    each = max(1, job.requests // job.clients)

    def work(_: int) -> list[float]:
        client, took = Client(job.port), []
        while len(took) < each or time.perf_counter() < ends:
            if job.change:
                client.send(_request(job, job.change))
            took.append(client.send(_request(job, next(turns))))
        client.close()
        return took

    with ThreadPoolExecutor(job.clients) as pool:
        found = sorted(ms for times in pool.map(work, range(job.clients)) for ms in times)
    return Timing(found, time.perf_counter() - begins, time.process_time() - cpu)


def _request(job: Job, call: str) -> Request:
    if not call or job.session is None:
        return "GET", job.path, b"", {}
    return BY_NAME[call].request(job.session)


@contextmanager
def load_process() -> Iterator[Pool]:
    """Start the process that sends; its only worker sends one job at a time."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        yield pool
