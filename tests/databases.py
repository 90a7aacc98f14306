"""Temporary databases: a migrated template for each engine, and a copy of it for each test."""

import fcntl
import itertools
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import Dialect, Engine, create_engine, event, make_url

from app import create_app
from app.config import Settings
from app.db import db
from app.engines import engine_options, prepare_engine
from app.versions import forget_values
from tests.postgresql_server import PostgresqlServer, give_folder
from tests.silent_changes import written_directly

SECRET = "k" * 40
MIN_FREE_BYTES = 2 * 1024**3


def settings_for(url: str, instance: Path, **changes: object) -> Settings:
    own = {"photo_store": str(instance / "photos"), **changes}
    settings = Settings(database_url=url, secret_key=SECRET, instance=instance, **own)
    (instance / "photos").mkdir(parents=True, exist_ok=True)
    return settings


def settle(app: Flask, settings: Settings) -> None:
    """Point an existing application at another database and folder."""
    app.config["QUARTERMASTER"] = settings
    app.extensions.pop("photo_store", None)
    app.extensions["rendered"].clear()
    app.extensions["request_counts"].clear()
    forget_values()
    with app.app_context():
        db.engine.dispose()
        db.engines[None] = _engine(settings.database_url)


def _engine(url: str) -> Engine:
    """Return the backend's shared engine, pointed at a database; it caches compiled statements."""
    parsed = make_url(url)
    kind = parsed.get_backend_name()
    if kind not in _engines:
        _engines[kind] = create_engine(url, **engine_options(url))
        # Before the product's own listener, which connects.
        event.listen(_engines[kind], "do_connect", _use_current_address)
        prepare_engine(_engines[kind])
    _engines[kind].url = parsed
    return _engines[kind]


_engines: dict[str, Engine] = {}


def _use_current_address(
    dialect: Dialect, _record: object, arguments: list[Any], named: dict[str, Any]
) -> None:
    url = _engines[dialect.name].url
    arguments[:], new = dialect.create_connect_args(url)
    named.update(new | engine_options(str(url))["connect_args"])
    if dialect.name == "postgresql" and "connect_timeout" not in url.query:
        # On a busy test machine, a dozen simultaneous connections can be slow.
        named["connect_timeout"] = 60


def migrate(url: str, instance: Path) -> None:
    app = create_app(settings_for(url, instance))
    # Migrations convert rows, which is no change of the product's.
    with app.app_context(), written_directly():
        upgrade()
        db.engine.dispose()


@dataclass(frozen=True)
class Copies:
    """Functions that manage copies of a migrated database.

    `fresh` creates a database and returns its URL; `remove` deletes one. `renew` empties a database
    or makes it a copy of another; `keep` copies one and returns the URL of the copy. Both work
    while the application is connected to the database.
    """

    fresh: Callable[[], str]
    renew: Callable[[str, str | None], None]
    keep: Callable[[str], str]
    remove: Callable[[str], None]


def memory_folder() -> str | None:
    """Return a folder in memory if it has enough space, otherwise None.

    Writing databases to a disk takes most of the time of tests.
    """
    memory = Path("/dev/shm")  # noqa: S108 (mkdtemp makes a folder of our own in it)
    has_space = memory.is_dir() and shutil.disk_usage(memory).free > MIN_FREE_BYTES
    return str(memory) if has_space and os.access(memory, os.W_OK) else None


MadeOnce = Callable[[str, Callable[[Path], None]], Path]
"""Returns a folder of this name, made by the first process to need it."""


def made_in(parent: Path) -> MadeOnce:
    """Return a function that makes folders within a folder that processes share."""

    def made_once(name: str, make: Callable[[Path], None]) -> Path:
        folder = parent / name
        with (parent / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                unfinished = parent / f"{name}.unfinished"
                unfinished.mkdir()
                make(unfinished)
                unfinished.rename(folder)
        return folder

    return made_once


def filled_once(
    request: pytest.FixtureRequest, app: Flask, name: str, fill: Callable[[], Any]
) -> Any:
    """Fill the application's empty database, or copy one filled before; return what `fill` did.

    All workers of a run share one on SQLite; on PostgreSQL each has a server of its own.
    """
    settings = app.config["QUARTERMASTER"]
    engine = make_url(settings.database_url).get_backend_name()
    copies: Copies = request.getfixturevalue(engine)
    made_once: MadeOnce = request.getfixturevalue("made_once")

    def make(folder: Path) -> None:
        result, kept = fill(), ""
        if engine == "sqlite":
            copies.renew(f"sqlite:///{folder}/filled.db", settings.database_url)
        else:
            kept = copies.keep(settings.database_url)
        (folder / "result").write_bytes(pickle.dumps((result, kept)))
        shutil.copytree(settings.instance / "photos", folder / "photos")

    folder = made_once(name if engine == "sqlite" else f"{name}-{os.getpid()}", make)
    result, kept = pickle.loads((folder / "result").read_bytes())  # noqa: S301 (our own)
    copies.renew(settings.database_url, kept or f"sqlite:///{folder}/filled.db")
    shutil.copytree(folder / "photos", settings.instance / "photos", dirs_exist_ok=True)
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    forget_values()
    return result


@contextmanager
def sqlite_copies(folder: Path, made_once: MadeOnce | None = None) -> Iterator[Copies]:
    """Yield the copies of a migrated SQLite database."""
    template = (made_once or made_in(folder))("sqlite-template", _migrate_sqlite) / "empty.db"
    numbers = itertools.count()

    def fresh() -> str:
        copy = folder / f"{next(numbers)}.db"
        shutil.copy(template, copy)
        return f"sqlite:///{copy}"

    def renew(url: str, like: str | None = None) -> None:
        dbapi = engine_options(url)["module"]
        with (
            closing(dbapi.connect(like.removeprefix("sqlite:///") if like else template)) as source,
            closing(dbapi.connect(url.removeprefix("sqlite:///"))) as copy,
        ):
            source.backup(copy)

    def keep(url: str) -> str:
        kept = fresh()
        renew(kept, url)
        return kept

    def remove(url: str) -> None:
        for file in folder.glob(f"{Path(url.removeprefix('sqlite:///')).name}*"):
            file.unlink()

    yield Copies(fresh, renew, keep, remove)


def _migrate_sqlite(folder: Path) -> None:
    migrate(f"sqlite:///{folder / 'empty.db'}", folder)


@contextmanager
def postgresql_copies(folder: Path, made_once: MadeOnce | None = None) -> Iterator[Copies]:
    """Yield the copies of a migrated database on a temporary PostgreSQL server."""
    cluster = (made_once or made_in(folder))("postgresql-template", _migrate_postgresql)
    with running_postgresql(SETTINGS, cluster, memory_folder()) as server:
        address = ADDRESS.format(server.folder)
        with administrator(server) as admin:
            numbers = itertools.count()

            def make(name: str, like: str | None = None) -> None:
                source = make_url(like).database if like else "template"
                # The files are few and small; logging each of their pages takes twice as long.
                admin.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY")

            def fresh() -> str:
                name = f"test_{next(numbers)}"
                make(name)
                return address.format(name)

            def remove(url: str) -> None:
                admin.execute(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

            def renew(url: str, like: str | None = None) -> None:
                remove(url)
                make(str(make_url(url).database), like)

            def keep(url: str) -> str:
                # PostgreSQL can't copy a database in use; disconnected clients reconnect.
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    (make_url(url).database,),
                )
                name = f"kept_{next(numbers)}"
                make(name, url)
                return address.format(name)

            yield Copies(fresh, renew, keep, remove)


ADDRESS = "postgresql+psycopg://postgres@/{{}}?host={}"
"""The address of a database on the server of a socket's folder."""


def _migrate_postgresql(folder: Path) -> None:
    """Keep a stopped cluster in a folder, in which the database `template` has all tables."""
    with running_postgresql(SETTINGS, under=memory_folder()) as server:
        with administrator(server) as admin:
            admin.execute("CREATE DATABASE template")
        migrate(ADDRESS.format(server.folder).format("template"), folder)
        server.stop("fast")
        shutil.copytree(server.data, folder / "data")


SETTINGS = {
    "max_connections": "200",
    # The data needn't survive a crash.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
}


@contextmanager
def running_postgresql(
    settings: Mapping[str, str], cluster: Path | None = None, under: str | None = None
) -> Iterator[PostgresqlServer]:
    """Run a server on a copy of a cluster, or on a new one, in a new folder `under` another."""
    # PostgreSQL refuses to run as root, and pytest's own folders are closed to others.
    folder = Path(tempfile.mkdtemp(prefix="qm-pg-", dir=under))
    give_folder(folder)
    server = PostgresqlServer(folder)
    if cluster:
        shutil.copytree(cluster / "data", server.data)
        give_folder(server.data)
    else:
        server.create()
    server.start(settings)
    try:
        yield server
    finally:
        if (server.data / "postmaster.pid").exists():
            server.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


def administrator(server: PostgresqlServer) -> psycopg.Connection:
    """Connect as the one who may create databases."""
    return psycopg.connect(host=str(server.folder), user="postgres", autocommit=True)


def connect(url: str) -> psycopg.Connection:
    """Connect to a database on a server of ours, without the application."""
    address = make_url(url)
    return psycopg.connect(
        host=address.query["host"], user=address.username, dbname=address.database
    )
