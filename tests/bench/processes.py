"""What is measured of processes: CPU time, memory, and the time until they are ready."""

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import Client

MAX_SECONDS_TO_START = 60
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Served:
    """A server that answers; `ready_seconds` passed from its start to its first 200."""

    port: int
    pid: int
    ready_seconds: float

    def workers(self) -> Sequence[int]:
        """Return the ids of the processes that answer requests."""
        return [pid for pid in _descendants(self.pid) if b"resource_tracker" not in _command(pid)]

    def cpu_seconds(self) -> float:
        """Return the CPU time that the workers have used so far."""
        return sum(_cpu_seconds(pid) for pid in self.workers())

    def memory(self) -> float:
        """Return the memory of all its processes in MB, each shared page counted once (PSS)."""
        return sum(_pss_kilobytes(pid) for pid in (self.pid, *self.workers())) / 1024


@contextmanager
def served(folder: Path, environment: Mapping[str, str], probe: str, log: Path) -> Iterator[Served]:
    """Run `flask serve` in a folder with a wsgi.py, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "flask", "serve", "--port", str(port), "--workers", "2"]
    begins = time.perf_counter()
    with log.open("w") as written:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=written, stderr=written
        )
    try:
        while not _answers(port, probe):
            if server.poll() is not None or time.perf_counter() - begins > MAX_SECONDS_TO_START:
                raise RuntimeError(f"the server did not start: {log.read_text()}")
            time.sleep(0.01)
        yield Served(port, server.pid, time.perf_counter() - begins)
    finally:
        server.terminate()
        server.wait(30)


def _answers(port: int, path: str) -> bool:
    client = Client(port)
    try:
        client.send(("GET", path, b"", {}))
    except (OSError, RuntimeError, IndexError):
        return False
    finally:
        client.close()
    return True


@dataclass(frozen=True)
class Ended:
    """How long a command took, by the clock and in CPU time."""

    seconds: float
    cpu_seconds: float


def run(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, runs: int = 1
) -> Ended:
    """Run a flask command to its end, and return the fastest of some runs."""
    ended = [_run(arguments, folder, environment) for _ in range(runs)]
    return min(ended, key=lambda times: times.seconds)


def _run(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Ended:
    command = [sys.executable, "-m", "flask", *arguments]
    cpu, begins = _children_seconds(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return Ended(time.perf_counter() - begins, _children_seconds() - cpu)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _descendants(pid: int) -> Sequence[int]:
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parents[int(folder.name)] = int(_fields(int(folder.name))[1])
            except OSError:  # it has ended meanwhile
                continue
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found[1:]


def _fields(pid: int) -> Sequence[str]:
    """Return the fields of /proc/PID/stat that follow the name, which may have spaces."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _cpu_seconds(pid: int) -> float:
    user, system = _fields(pid)[11:13]
    return (int(user) + int(system)) / _TICKS


def _pss_kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
