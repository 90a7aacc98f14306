"""A primary and its synchronous standby on this machine."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from app import create_app
from tests import factories
from tests.databases import memory_folder, migrate, settings_for
from tests.failover.clients import SHARED_ITEM
from tests.postgresql_server import LOCAL, PostgresqlServer, give_folder
from tests.serving import free_port

DATABASE = "quartermaster"
STANDBY = "standby"
SETTINGS = {"max_connections": "200", "shared_buffers": "32MB", "fsync": "off"}
"""Only processes end here, so what was written needn't reach a disk."""

MAX_SECONDS_TO_FOLLOW = 30


@dataclass(frozen=True)
class Pair:
    """A primary and its standby; `url` names both."""

    primary: PostgresqlServer
    standby: PostgresqlServer

    @property
    def url(self) -> str:
        hosts = ",".join(f"{LOCAL}:{server.port}" for server in (self.primary, self.standby))
        return f"postgresql://postgres@{hosts}/{DATABASE}"


def query(server: PostgresqlServer, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements on a server, and return the rows of the last."""
    with psycopg.connect(
        host=LOCAL, port=server.port, user="postgres", dbname=DATABASE, autocommit=True
    ) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def fill(server: PostgresqlServer, folder: Path) -> None:
    """Create a cluster with the product's empty tables and a keeper, and stop it."""
    server.create()
    server.start(SETTINGS)
    address = {"host": LOCAL, "port": server.port, "user": "postgres"}
    with psycopg.connect(**address, autocommit=True) as connection:  # type: ignore[arg-type]
        connection.execute(f"CREATE DATABASE {DATABASE}".encode())
    url = f"postgresql+psycopg://postgres@{LOCAL}:{server.port}/{DATABASE}"
    migrate(url, folder)
    with create_app(settings_for(url, folder)).app_context():
        factories.user("keeper")
        # Nobody may be refused because somebody else has just added it.
        factories.item(SHARED_ITEM, 0)
    server.stop("fast")


@contextmanager
def servers_folder() -> Iterator[Path]:
    """Yield a folder in which servers may run, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="qm-failover-", dir=memory_folder()))
    give_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_pair(filled: PostgresqlServer) -> Iterator[Pair]:
    """Run a copy of a cluster that is stopped, and its synchronous standby."""
    with servers_folder() as first, servers_folder() as second:
        pair = Pair(PostgresqlServer(first, free_port()), PostgresqlServer(second, free_port()))
        shutil.copytree(filled.data, pair.primary.data, copy_function=shutil.copy2)
        give_folder(pair.primary.data)
        try:
            pair.primary.start(SETTINGS)
            pair.standby.copy_running(pair.primary, STANDBY)
            pair.standby.start(SETTINGS)
            query(
                pair.primary,
                f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'",
                "SELECT pg_reload_conf()",
            )
            _wait_until_synchronous(pair.primary)
            yield pair
        finally:
            for server in (pair.primary, pair.standby):
                server.kill()


def _wait_until_synchronous(primary: PostgresqlServer) -> None:
    ends = time.monotonic() + MAX_SECONDS_TO_FOLLOW
    while query(primary, "SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
        if time.monotonic() > ends:
            raise RuntimeError("the standby does not follow")
        time.sleep(0.1)
