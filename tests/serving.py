"""`flask serve` on a database, as an installation runs it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.databases import SECRET

ROOT = Path(__file__).resolve().parents[1]


def environment(database_url: str, folder: Path, root: Path = ROOT) -> dict[str, str]:
    """Return the environment of a product whose code is in `root`, as it is served for tests."""
    return os.environ | {
        "APP_ENV": "production",
        "DATABASE_URL": database_url,
        "PHOTO_STORE": str(folder / "photos"),
        "SECRET_KEY": SECRET,
        # Tests and benchmarks send more than people.
        "EXPORTS_PER_MINUTE": "0",
        "PHOTOS_PER_MINUTE": "0",
        "TRUSTED_HOSTS": "127.0.0.1,localhost",
        "PYTHONPATH": str(root),
    }


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`flask serve` with two workers on a free port, as one process after the other."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str], *options: str, root: Path = ROOT
    ) -> None:
        self.port = free_port()
        self._root = root
        arguments = ("serve", "--port", str(self.port), "--workers", "2", *options)
        self._command = [sys.executable, "-m", "flask", *arguments]
        self._environment = environment
        self._log = folder / "serve.log"
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start it, and wait until it answers."""
        with self._log.open("a") as written:
            self.process = subprocess.Popen(
                self._command, cwd=self._root, env=self._environment, stdout=written, stderr=written
            )
        try:
            self._wait()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        return self.process

    def workers(self) -> list[int]:
        """Return the ids of the processes that answer requests."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def answers(self) -> bool:
        """Return whether anything listens on the port."""
        with socket.socket() as probe:
            probe.settimeout(0.1)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> int:
        """Stop it as a service manager does, and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)

    def _wait(self) -> None:
        for _ in range(600):
            if self.process.poll() is not None:
                raise RuntimeError(self._log.read_text())
            if self.answers():
                return
            try:
                self.process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
        raise RuntimeError("the product did not start: " + self._log.read_text())


@contextmanager
def serving(
    database_url: str,
    folder: Path,
    *options: str,
    settings: Mapping[str, str] | None = None,
    root: Path = ROOT,
) -> Iterator[int]:
    """Serve the product on a free port, with further options and settings; yields the port."""
    variables = environment(database_url, folder, root) | dict(settings or {})
    server = Server(folder, variables, *options, root=root)
    try:
        yield server.port
    finally:
        server.stop()
