"""What is measured of processes: CPU time, memory, and the time until they are ready."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import Client
from tests.serving import ROOT, free_port

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
    port = free_port()
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


def seconds_of(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Run a flask command to its end, and return how long it took."""
    begins = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "flask", *command],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - begins


def _descendants(pid: int) -> Iterator[int]:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            yield child
            yield from _descendants(child)


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _cpu_seconds(pid: int) -> float:
    # The name, in brackets, may have spaces.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _pss_kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
