"""The databases of both engines, on real disks and durable, as an installation has them."""

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import make_url

from app import create_app
from app.db import db
from app.divisions import Division
from tests import factories
from tests.chaos.http import USERNAME
from tests.chaos.load import ITEMS
from tests.chaos.trials import INITIAL, Place
from tests.databases import administrator, migrate, running_postgresql, settings_for
from tests.factories import GUILDFORD, MAIN
from tests.postgresql_server import PostgresqlServer

ENGINES = ("sqlite", "postgresql")
SETTINGS = {"max_connections": "200"}
"""All else is as PostgreSQL has it, so what is committed survives a crash."""


def fill(url: str, folder: Path) -> None:
    """Fill a migrated database with an account and items."""
    with create_app(settings_for(url, folder)).app_context():
        factories.user(USERNAME, *Division)
        for store in (MAIN, GUILDFORD):
            factories.items([(name, INITIAL) for name in ITEMS], store=store)
        db.session.remove()
        db.engine.dispose()


@contextmanager
def places(folder: Path) -> Iterator[dict[str, Place]]:
    """Yield where databases of each engine come from; each trial gets its own."""
    with running_postgresql(SETTINGS) as server:
        numbers = itertools.count()
        copies = {
            "sqlite": partial(_copy_file, folder, numbers),
            "postgresql": partial(_copy_database, server, numbers),
        }
        found = {}
        for engine in ENGINES:
            bare = partial(copies[engine], "")
            empty, filled = bare(), bare()
            for url in (empty, filled):
                migrate(url, folder)
            fill(filled, folder)
            found[engine] = Place(
                engine,
                fresh=partial(copies[engine], filled),
                empty=partial(copies[engine], empty),
                bare=bare,
                copy=copies[engine],
                server=server if engine == "postgresql" else None,
            )
        for engine, other in zip(ENGINES, ENGINES[::-1], strict=True):
            found[engine].other = found[other]
        yield found


def _copy_file(folder: Path, numbers: Iterator[int], url: str) -> str:
    copy = folder / f"{next(numbers)}.db"
    if url:
        shutil.copy(url.removeprefix("sqlite:///"), copy)
    return f"sqlite:///{copy}"


def _copy_database(server: PostgresqlServer, numbers: Iterator[int], url: str) -> str:
    name = f"trial_{next(numbers)}"
    template = make_url(url).database if url else "template1"
    with administrator(server) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return f"postgresql+psycopg://postgres@/{name}?host={server.folder}"
