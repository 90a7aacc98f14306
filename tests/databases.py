"""Throwaway databases: a migrated template for each engine, and a copy of it for each test."""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import Dialect, Engine, create_engine, event, make_url

from app import create_app
from app.config import Settings
from app.db import db, engine_options, prepare_engine

SECRET = "k" * 40
ENOUGH_ROOM = 2 * 1024**3


def settings_for(url: str, instance: Path, **changes: object) -> Settings:
    return Settings(database_url=url, secret_key=SECRET, instance=instance, **changes)


def settle(app: Flask, settings: Settings) -> None:
    """Let an application that is there already work on another database and in another folder."""
    app.config["QUARTERMASTER"] = settings
    app.extensions.pop("photo_store", None)
    with app.app_context():
        db.engine.dispose()
        db.engines[None] = _engine(settings.database_url)


def _engine(url: str) -> Engine:
    """Return the engine of this kind of database, on this one: it remembers compiled statements."""
    parsed = make_url(url)
    kind = parsed.get_backend_name()
    if kind not in _engines:
        _engines[kind] = create_engine(url, **engine_options(url))
        prepare_engine(_engines[kind])
        event.listen(_engines[kind], "do_connect", _connect_to_its_own)
    _engines[kind].url = parsed
    return _engines[kind]


_engines: dict[str, Engine] = {}


def _connect_to_its_own(dialect: Dialect, *_: object) -> Any:
    url = _engines[dialect.name].url
    arguments, named = dialect.create_connect_args(url)
    named.update(engine_options(str(url))["connect_args"])
    if dialect.name == "postgresql":
        # Where all of a test machine is at work, a dozen connections at once take their time.
        named["connect_timeout"] = 60
    return dialect.connect(*arguments, **named)


def migrate(url: str, instance: Path) -> None:
    app = create_app(settings_for(url, instance))
    with app.app_context():
        upgrade()
        db.engine.dispose()


@dataclass(frozen=True)
class Copies:
    """Makes fresh databases: `fresh` returns the address of another one, `remove` takes it away.

    `renew` empties one, or makes it like another one; `keep` returns the address of a copy as it
    is now. Both may be done while a product is connected to it.
    """

    fresh: Callable[[], str]
    renew: Callable[[str, str | None], None]
    keep: Callable[[str], str]
    remove: Callable[[str], None]


def quick_place() -> str | None:
    """Return a folder in memory where there is one with room, None for the usual one.

    What a database writes for safety costs tests more time than all else.
    """
    memory = Path("/dev/shm")  # noqa: S108 (mkdtemp makes a folder of our own in it)
    has_room = memory.is_dir() and shutil.disk_usage(memory).free > ENOUGH_ROOM
    return str(memory) if has_room and os.access(memory, os.W_OK) else None


@contextmanager
def sqlite_copies(folder: Path) -> Iterator[Copies]:
    """Yield what makes copies of a migrated SQLite database."""
    template = folder / "template.db"
    migrate(f"sqlite:///{template}", folder)
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


@contextmanager
def postgresql_copies(folder: Path) -> Iterator[Copies]:
    """Yield what makes copies of a migrated database on a throwaway PostgreSQL."""
    with _postgresql() as socket:
        address = f"postgresql+psycopg://postgres@/{{}}?host={socket}"
        with psycopg.connect(host=socket, user="postgres", autocommit=True) as admin:
            admin.execute("CREATE DATABASE template")
            migrate(address.format("template"), folder)
            numbers = itertools.count()

            def make(name: str, like: str | None = None) -> None:
                source = make_url(like).database if like else "template"
                # Its files are few and small: to log each page of them takes twice as long.
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
                # It can't be copied while somebody is connected; who was connects again.
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    (make_url(url).database,),
                )
                name = f"kept_{next(numbers)}"
                make(name, url)
                return address.format(name)

            yield Copies(fresh, renew, keep, remove)


@contextmanager
def _postgresql() -> Iterator[str]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    binaries = found[-1] if found else Path(shutil.which("initdb") or "").parent
    # PostgreSQL refuses to run as root, and pytest's own folders are closed to others.
    owner = pwd.getpwnam("postgres") if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="qm-pg-", dir=quick_place()))
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)

    def run(*command: str) -> None:
        subprocess.run(
            command,
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
        )

    data = str(folder / "data")
    run(f"{binaries}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8")
    settings = {
        "listen_addresses": "",
        "max_connections": "200",
        # Nothing of it has to outlive a crash.
        "fsync": "off",
        "full_page_writes": "off",
        "synchronous_commit": "off",
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "autovacuum": "off",
    }
    settings_given = (f"-c {name}={value}" for name, value in settings.items())
    options = " ".join([f"-k {folder}", *settings_given])
    control = (f"{binaries}/pg_ctl", "-D", data, "-w", "-s")
    run(*control, "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield str(folder)
    finally:
        run(*control, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
