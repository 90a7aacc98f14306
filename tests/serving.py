"""`flask serve` on a database, as an installation runs it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
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
        "TRUSTED_HOSTS": "127.0.0.1,localhost",
        "PYTHONPATH": str(root),
    }


@contextmanager
def serving(database_url: str, folder: Path, *options: str, root: Path = ROOT) -> Iterator[int]:
    """Serve the product on a free port, with further options; yields the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    serve = [
        sys.executable,
        "-m",
        "flask",
        "serve",
        "--port",
        str(port),
        "--workers",
        "2",
        *options,
    ]
    log = folder / "serve.log"
    with log.open("w") as written:
        server = subprocess.Popen(
            serve,
            cwd=root,
            env=environment(database_url, folder, root),
            stdout=written,
            stderr=written,
        )
    try:
        _wait_for(port, server, log)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise RuntimeError(log.read_text())
        with socket.socket() as probe:
            probe.settimeout(0.1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        try:
            server.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    raise RuntimeError("the product did not start: " + log.read_text())
