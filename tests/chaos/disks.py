"""Small disks that fill up, for the database and for photos."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url

from tests.chaos.http import send
from tests.chaos.trials import Trial
from tests.databases import administrator
from tests.postgresql_server import give_folder
from tests.serving import Server

MEGABYTE = 1024 * 1024
DATABASE_DISK = 64
"""Megabytes of the disk of a database."""


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a disk of so many megabytes at a new folder."""
    if os.geteuid() != 0:
        raise RuntimeError("not run: only root may mount a small disk")
    folder.mkdir()
    options = f"size={megabytes}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


def fill_disk(folder: Path) -> Path:
    """Write a file that leaves no room on a disk, and return it."""
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (MEGABYTE, 4096):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return ballast


def fill_database_disk(trial: Trial) -> None:
    """Fill the database's disk while 4 clients write: 507, reading goes on, and it heals."""
    rounds = trial.times(3)
    with database_on_small_disk(trial) as disk:
        with trial.serving() as server, trial.load(server) as clients:
            for _ in range(rounds):
                clients.wait_for_progress(20)
                before = trial.books.counts["507"]
                ballast = fill_disk(disk)
                clients.wait_until(lambda now=before: trial.books.counts["507"] > now + 5)
                _read_while_full(trial, server, clients.account.headers())
                ballast.unlink()
                clients.wait_for_progress(20)
        trial.counts["times full"] = rounds
        trial.compare()


def _read_while_full(trial: Trial, server: Server, headers: dict[str, str]) -> None:
    for path, expected in (
        ("/livez", 200),
        ("/api/gfm/inventory/main", 200),
        ("/api/gfm/history?limit=25", 200),
        # PostgreSQL's own disk is none of the application's business.
        ("/readyz", 503 if trial.engine == "sqlite" else 200),
    ):
        reply = send(server.port, "GET", path, headers=headers)
        text = f"{path} gave {reply.status} while the disk was full: {reply.body[:200]!r}"
        trial.expect(reply.status == expected, text)


@contextmanager
def database_on_small_disk(trial: Trial) -> Iterator[Path]:
    """Move the trial's database to a small disk; PostgreSQL's by a tablespace."""
    server = trial.place.server
    if server is None:
        with small_disk(trial.folder / "disk", DATABASE_DISK) as disk:
            shutil.copy(trial.url.removeprefix("sqlite:///"), disk / "qm.db")
            trial.url = f"sqlite:///{disk}/qm.db"
            yield disk
        return
    with small_disk(server.folder / "disk", DATABASE_DISK) as disk, administrator(server) as admin:
        space = disk / "space"
        space.mkdir()
        give_folder(space)
        database = make_url(trial.url).database
        admin.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
        admin.execute(f"ALTER DATABASE {database} SET TABLESPACE small")
        try:
            yield disk
        finally:
            admin.execute(f"DROP DATABASE {database} WITH (FORCE)")
            admin.execute("DROP TABLESPACE small")
