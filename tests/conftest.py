"""A database of its own for each test that touches data, on the engines it has to run on.

Services, queries, migrations and whatever else depends on the engine run on SQLite and on
PostgreSQL. What only shows the results of services (see `FACES`) runs on SQLite, unless it is
marked `both_engines`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import event

from app import create_app
from app.accounts.services import sessions, users
from app.db import db
from tests.databases import (
    Copies,
    postgresql_copies,
    quick_place,
    settings_for,
    settle,
    sqlite_copies,
)
from tests.person import Person

ENGINES = ["sqlite", "postgresql"]
FACES = {"api", "bodies", "calls", "cli", "exports", "form", "forms", "page", "pages", "uris"}
"""The last word in the names of test files that use the product as a person or program does."""
FACE_FOLDERS = {"api", "demo", "web"}
"""The folders of tests in which all files do."""


QUICK_FACES = {"forms", "page", "pages"}
QUICK_FOLDERS = {"architecture", "accounts", "assets", "dashboard", "deliveries", "directory"}
QUICK_FOLDERS |= {"fleet", "stock", "tests", "web"}
"""What `--quick` runs besides services and rules, and where."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run what takes little time, on SQLite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes time where only a quick answer is asked for."""
    if not config.option.quick:
        return
    slow = [item for item in items if not is_quick(item)]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if is_quick(item)]


def is_quick(test: pytest.Item) -> bool:
    word, folder = test.path.stem.split("_")[-1], test.path.parent.name
    is_quick_face = word not in FACES - QUICK_FACES and folder in QUICK_FOLDERS
    return is_quick_face and not test.get_closest_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure coverage on SQLite alone: the other engine runs the same lines, at half the speed."""
    measuring = item.config.pluginmanager.get_plugin("_cov")
    if not measuring or "postgresql" not in item.name:
        return (yield)
    measuring.cov_controller.cov.stop()
    try:
        return (yield)
    finally:
        measuring.cov_controller.cov.start()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the engines for a test that doesn't choose them itself."""
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    for fixture in {"database_url", "filled"} & set(metafunc.fixturenames) - chosen:
        metafunc.parametrize(fixture, engines_of(metafunc.definition), indirect=True)


def engines_of(test: pytest.Item) -> list[str]:
    """Return the engines that a test runs on."""
    is_face = test.path.stem.split("_")[-1] in FACES or test.path.parent.name in FACE_FOLDERS
    is_for_both = not is_face or test.get_closest_marker("both_engines")
    return ENGINES if is_for_both and not test.config.option.quick else ENGINES[:1]


@pytest.fixture(scope="session")
def sqlite() -> Iterator[Copies]:
    with (
        TemporaryDirectory(prefix="qm-sqlite-", dir=quick_place()) as folder,
        sqlite_copies(Path(folder)) as copies,
    ):
        yield copies


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copies]:
    with postgresql_copies(tmp_path_factory.mktemp("postgresql")) as copies:
        yield copies


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    copies: Copies = request.getfixturevalue(request.param)
    url = copies.fresh()
    yield url
    copies.remove(url)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """Templates compiled once, since every test has an app of its own."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("compiled")))


@pytest.fixture(scope="session")
def shared_app(
    tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Flask:
    """The product made once, since to make it takes longer than most tests."""
    folder = tmp_path_factory.mktemp("shared")
    app = create_app(settings_for(f"sqlite:///{folder}/none.db", folder))
    app.jinja_env.bytecode_cache = compiled
    return app


@pytest.fixture
def app(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[Flask]:
    """The product on a fresh, migrated database.

    A test that changes the application itself is marked `own_app`.
    """
    settings = settings_for(database_url, tmp_path)
    is_own = request.node.get_closest_marker("own_app") is not None
    app = create_app(settings) if is_own else request.getfixturevalue("shared_app")
    if is_own:
        app.jinja_env.bytecode_cache = request.getfixturevalue("compiled")
    else:
        settle(app, settings)
    before = dict(app.config), list(app.extensions["screens"])
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    assert is_own or before == (dict(app.config), app.extensions["screens"]), "mark it own_app"


@pytest.fixture(scope="session", autouse=True)
def strong_hasher() -> Iterator[PasswordHasher]:
    """Hash passwords quickly, since most tests sign in; yields what the product does it with."""
    strong = sessions.hasher
    with pytest.MonkeyPatch.context() as patch:
        for module in (sessions, users):
            patch.setattr(module, "hasher", PasswordHasher(1, 8, 1))
        yield strong


@pytest.fixture(autouse=True)
def _push_request_context() -> None:
    """Keep pytest-flask from sharing one context among all requests of a test."""


@pytest.fixture
def context(app: Flask) -> Iterator[None]:
    """An application context for tests that call services themselves."""
    with app.app_context():
        yield


@pytest.fixture
def person(app: Flask) -> Person:
    return Person(app)


@pytest.fixture
def statements(app: Flask) -> Callable[[Callable[[], object]], int]:
    """Count the statements of a piece of work, without BEGIN."""

    def count(work: Callable[[], object]) -> int:
        seen: list[str] = []
        with app.app_context():
            engine = db.engine
        listening = (engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
        event.listen(*listening)
        try:
            work()
        finally:
            event.remove(*listening)
        return sum(1 for statement in seen if not statement.startswith("BEGIN"))

    return count
