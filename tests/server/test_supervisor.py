"""`flask serve` when its processes die, are stopped, or are started twice."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.server.supervisor import STOP_SECONDS

WSGI = """
import os, threading
from flask import Flask
from app.cli.serve import serve

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 1000
app.cli.add_command(serve)

@app.get("/pid")
def pid():
    return str(os.getpid())

@app.post("/slow")
def slow():
    threading.Event().wait(1)
    return "done"
"""
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Running:
    """A `flask serve` with two workers, of a small application."""

    process: subprocess.Popen[bytes]
    command: list[str]
    port: int
    folder: Path

    def worker(self) -> int:
        """Return the process id of a worker that answers."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)) as client:
            client.request("GET", "/pid")
            return int(client.getresponse().read())

    def workers(self) -> set[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(child) for child in children.read_text().split()}

    def answers(self) -> bool:
        try:
            return self.worker() > 0
        except OSError:
            return False


def is_running(process: int) -> bool:
    """Return whether a process runs; one that ended stays until its parent has asked for it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until(is_true: Callable[[], bool], seconds: float = 15) -> bool:
    """Return whether something becomes true in time."""
    ends = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > ends:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def server(tmp_path) -> Iterator[Running]:
    (tmp_path / "wsgi.py").write_text(WSGI)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "flask", "serve", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    running = Running(process, command, port, tmp_path)
    try:
        assert until(running.answers)
        yield running
    finally:
        process.kill()
        process.wait()


def start_again(server) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        server.command, cwd=server.folder, env=environment, capture_output=True, text=True
    )


def test_workers_that_die_twice_are_replaced_and_the_server_goes_on(server):
    first = server.workers()
    assert len(first) == 2
    for worker in first:
        os.kill(worker, signal.SIGKILL)
    assert until(lambda: len(server.workers() - first) == 2)
    second = server.workers()
    for worker in second:
        os.kill(worker, signal.SIGKILL)
    assert until(lambda: len(server.workers() - second) == 2)
    assert until(server.answers)
    assert server.process.poll() is None


def test_a_second_server_on_the_port_is_refused(server):
    again = start_again(server)
    assert again.returncode == 1
    assert "Another server answers there" in again.stderr
    assert "choose another with --port" in again.stderr
    assert server.answers()


def test_workers_end_with_the_supervisor_and_give_the_port_back(server):
    workers = server.workers()
    server.process.kill()
    server.process.wait()
    # A worker that is still starting up then ends after its time to stop.
    assert until(lambda: not any(map(is_running, workers)), STOP_SECONDS + 15)
    assert not server.answers()


def test_stopping_waits_for_running_requests_and_not_for_half_sent_ones(server):
    half = b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc"
    whole = b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    stalled = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
    running = socket.create_connection(("127.0.0.1", server.port), 10)
    try:
        for connection in stalled:
            connection.sendall(half)
        running.sendall(whole)
        time.sleep(0.3)
        server.process.terminate()
        assert running.recv(65536).endswith(b"done")
        assert server.process.wait(10) == 0
    finally:
        for connection in (*stalled, running):
            connection.close()
