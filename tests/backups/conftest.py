"""An installation with rows in every table, its backup, and installations to restore it to."""

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask
from sqlalchemy import make_url

from app import dates
from app.assets.services.moves import move_assets
from app.audit.services import DiscardResult, record_failure
from app.backups import queries
from app.db import db, read_session, transaction
from app.deliveries import queries as deliveries
from app.directory.services.keys import remove_key
from app.divisions import Division, Site
from app.fleet.rules.templates import BUILT_IN
from app.fleet.rules.vehicles import CHECK_TEMPLATES
from app.fleet.services.lists import replace_templates
from app.idempotency import Stamp, Submission, exactly_once
from app.stock.rules.history import HistoryEvent
from app.stock.rules.levels import LevelState
from app.stock.rules.movements import StockLine
from app.stock.services import items, movements
from app.stock.services.history import PastEntry
from app.stock.services.levels import set_level
from app.stock.services.movements import undo
from app.versions import version_of
from app.views.services import choose_view
from tests import factories
from tests.attachments.files import invoice
from tests.backups.upkeep_rows import fill_upkeep
from tests.databases import Copies, filled_once, settings_for, settle
from tests.factories import DAY, GPM, MAIN
from tests.photos.object_server import Objects, bucket_server

Run = Callable[..., Result]


def lines_of(backup: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table in a backup."""
    packed = (backup / f"tables/{table}.jsonl.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def all_lines(backup: Path) -> bytes:
    """Return the lines of all tables in a backup."""
    return b"".join(gzip.decompress(path.read_bytes()) for path in backup.glob("tables/*.gz"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def run(app: Flask) -> Run:
    def run(*arguments: object) -> Result:
        return app.test_cli_runner().invoke(args=[str(argument) for argument in arguments])

    return run


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Return a function that runs a command which fails, and returns its output."""

    def refused(*arguments: object) -> str:
        result = run(*arguments)
        assert result.exit_code == 1, result.output
        return result.output

    return refused


@pytest.fixture
def in_bucket(
    app: Flask, full: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Objects]:
    """Use an empty bucket as photo store; earlier photos aren't in it."""
    before = app.config["QUARTERMASTER"]
    with bucket_server(monkeypatch) as server:
        settle(app, replace(before, photo_store="s3://photos/of/ours"))
        yield server
        settle(app, before)


@pytest.fixture
def full(request: pytest.FixtureRequest, app: Flask) -> None:
    """An installation with rows in every table."""
    filled_once(request, app, "installation", partial(fill, app))


def fill(app: Flask) -> None:
    """Fill every table, also with odd values: a name in many scripts, a removed key."""
    with app.app_context():
        by = factories.user("keeper", *Division)
        factories.user("robot", scopes=["gpm:read", "gfm:read"])
        heart, lamp = factories.items([("Red heart", 50), ("Lämp “日本” 💡\u2028", 7)])
        factories.do(set_level, MAIN, heart, LevelState(30, supplier="Acme"), revision=0, by=by)
        with transaction():
            stamp = Stamp("c" * 64, "d" * 64, dates.utc_now())
            line = StockLine(heart, 8)
            movements.withdraw(MAIN, [line], team="Kitchen", on=DAY, by=by, stamp=stamp)
        with transaction():
            movements.transfer(
                MAIN, [StockLine(heart, 5)], destination=Site.GUILDFORD, team="", on=DAY, by=by
            )
        with transaction():
            undo(Division.GFM, 2, by=by)
        with transaction():
            items.edit_item(MAIN, lamp, name="Lämp “日本” 💡 2", unit_price=333, revision=0, by=by)
        factories.add_history(PastEntry(dates.utc_now(), HistoryEvent.WITHDRAWAL, "Old mug", 3))
        factories.delivered("Glass", 12)
        undone = deliveries.delivery(Division.GPM, factories.delivered("Glass", 2)).operation_id
        with transaction():
            undo(Division.GPM, undone, by=by)
        factories.delivery("Glass", 3)
        view = factories.view(by)
        with transaction():
            choose_view(view, is_default=False, is_starred=True, by=by)
        factories.directory(2)
        factories.supplier()
        factories.key("K9", holder="Ann")
        with transaction():
            remove_key("K9", by=None)
        factories.vehicle(odometer=12)
        factories.check(by=by, photos=["front"], items={"Damage": "None", "Zeal": ["a", 1.5, None]})
        factories.photo(by, "green")
        fill_upkeep(by)
        assets = factories.draft("Name,Tag\nDesk “日本”,T-1\n", by=by, columns=["item", "id"])
        factories.apply_draft(assets, by=by)
        factories.attach([invoice()], by=by)
        submission = Submission(by, "POST /", "one key", (("a", "b"),))
        with transaction():
            exactly_once(submission, DiscardResult, lambda: DiscardResult("it"))
        desk = factories.asset("Desk", location="Depot")
        with transaction():
            move_assets([desk], "Annex", by=by, stamp=stamp)
        with transaction():
            replace_templates(BUILT_IN[:2], versions=[version_of(CHECK_TEMPLATES)])
        with transaction():
            record_failure("keeper")
        assert factories.amount("Glass", GPM) == 12


@pytest.fixture
def backed_up(run: Run, place: Path) -> Callable[[], Path]:
    """Return a function that makes a backup and returns its folder."""

    def backed_up() -> Path:
        before = set(place.glob("quartermaster-*"))
        result = run("backup", place)
        assert result.exit_code == 0, result.output
        (made,) = set(place.glob("quartermaster-*")) - before
        return made

    return backed_up


@pytest.fixture(scope="session")
def first_backups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("first_backups")


@pytest.fixture
def backup(
    app: Flask, full: None, backed_up: Callable[[], Path], first_backups: Path, place: Path
) -> Path:
    """A backup of the installation as it was filled: made once, and copied for each test."""
    url = make_url(app.config["QUARTERMASTER"].database_url)
    kept = first_backups / url.get_backend_name()
    if not kept.exists():
        backed_up()
        shutil.copytree(place, kept)
    (made,) = shutil.copytree(kept, place, dirs_exist_ok=True).glob("quartermaster-*")
    return made


@pytest.fixture
def go_elsewhere(
    request: pytest.FixtureRequest, app: Flask, tmp_path: Path
) -> Iterator[Callable[[], None]]:
    """Return a function that switches to a new database of the other engine and new photos."""
    before = app.config["QUARTERMASTER"]
    other = "postgresql" if before.database_url.startswith("sqlite") else "sqlite"
    copies: Copies = request.getfixturevalue(getattr(request, "param", other))
    used: list[str] = []

    def go() -> None:
        used.append(copies.fresh())
        settle(app, settings_for(used[-1], tmp_path / f"elsewhere-{len(used)}"))

    yield go
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    settle(app, before)
    for url in used:
        copies.remove(url)


@pytest.fixture
def rows(app: Flask) -> Callable[[], dict[str, list[bytes]]]:
    """Return a function that returns the rows of every table as lines."""

    def rows() -> dict[str, list[bytes]]:
        with app.app_context(), read_session() as session:
            connection = session.connection()
            tables = queries.reflect_tables(connection, queries.included_tables())
            return {table.name: list(queries.lines(connection, table)) for table in tables}

    return rows
