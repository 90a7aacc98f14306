"""A database of its own for each test that touches data, on the engines it has to run on.

All tests run on SQLite. What differs by engine is marked `differs_by_engine` and runs on
PostgreSQL as well; with `--thorough`, as in `make test-all`, every test does.
"""

import gc
import os
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import event

from app import create_app
from app.accounts.services import sessions, users
from app.db import db
from app.divisions import Division
from app.logs import current_request
from tests import factories
from tests.client import ComparingClient
from tests.databases import (
    Copies,
    MadeOnce,
    made_in,
    memory_folder,
    postgresql_copies,
    settings_for,
    settle,
    sqlite_copies,
)
from tests.person import Person
from tests.silent_changes import watched

ENGINES = ["sqlite", "postgresql"]
SLOWER_KINDS = {"api", "bodies", "calls", "cli", "exports", "form", "uris"}
"""Test files whose name ends in one of these words are left out by `--quick`."""

QUICK_FOLDERS = {"architecture", "accounts", "assets", "dashboard", "deliveries", "directory"}
QUICK_FOLDERS |= {"fleet", "records", "stock", "tests", "web"}
"""Folders that `--quick` runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run only quick tests, on SQLite")
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run all tests on both engines, with all generated requests",
    )


def pytest_configure() -> None:
    """Keep temporary files in memory: writing to a disk takes half the time of some tests.

    Hypothesis doesn't measure time, since that of an example depends on what else runs.
    """
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory_folder() or gettempdir())
    settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Import and collect without garbage collections: next to nothing of it becomes garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --quick, deselect slow tests; without --thorough, those marked so."""
    left_out = [item for item in items if not is_chosen(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if is_chosen(item)]


def pytest_collection_finish() -> None:
    """Leave out what was imported of garbage collections, a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def is_chosen(test: pytest.Item) -> bool:
    if test.config.option.quick and not is_quick(test):
        return False
    return test.config.option.thorough or not test.get_closest_marker("thorough")


def is_quick(test: pytest.Item) -> bool:
    word, folder = test.path.stem.split("_")[-1], test.path.parent.name
    is_kept = word not in SLOWER_KINDS and folder in QUICK_FOLDERS
    return is_kept and not test.get_closest_marker("slow")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise tests by engine unless they choose their engines."""
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    for fixture in {"database_url", "filled", "product"} & set(metafunc.fixturenames) - chosen:
        metafunc.parametrize(fixture, engines_of(metafunc.definition), indirect=True)


def engines_of(test: pytest.Item) -> list[str]:
    """Return the engines that a test runs on."""
    options = test.config.option
    is_for_both = options.thorough or test.get_closest_marker("differs_by_engine")
    return ENGINES if is_for_both and not options.quick else ENGINES[:1]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Make folders that all workers of a run share."""
    own = tmp_path_factory.getbasetemp()
    return made_in(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def sqlite(made_once: MadeOnce) -> Iterator[Copies]:
    with (
        TemporaryDirectory(prefix="qm-sqlite-", dir=memory_folder()) as folder,
        sqlite_copies(Path(folder), made_once) as copies,
    ):
        yield copies


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory, made_once: MadeOnce) -> Iterator[Copies]:
    with postgresql_copies(tmp_path_factory.mktemp("postgresql"), made_once) as copies:
        yield copies


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    copies: Copies = request.getfixturevalue(request.param)
    url = copies.fresh()
    yield url
    copies.remove(url)


@pytest.fixture(scope="session")
def compiled(made_once: MadeOnce) -> FileSystemBytecodeCache:
    """A cache of compiled templates that all applications share."""
    return FileSystemBytecodeCache(str(made_once("compiled", lambda _: None)))


@pytest.fixture(scope="session")
def shared_app(
    tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Flask:
    """The application, created once because that takes longer than most tests."""
    folder = tmp_path_factory.mktemp("shared")
    app = create_app(settings_for(f"sqlite:///{folder}/none.db", folder))
    app.jinja_env.bytecode_cache = compiled
    app.test_client_class = ComparingClient
    return app


@pytest.fixture
def app(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[Flask]:
    """The application on a new, migrated database.

    A test that changes the application itself is marked `own_app`.
    """
    settings = settings_for(database_url, tmp_path)
    is_own = request.node.get_closest_marker("own_app") is not None
    app = create_app(settings) if is_own else request.getfixturevalue("shared_app")
    if is_own:
        app.jinja_env.bytecode_cache = request.getfixturevalue("compiled")
    else:
        settle(app, settings)
    app.test_client_class = ComparingClient
    before = dict(app.config), list(app.extensions["screens"])
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    assert is_own or before == (dict(app.config), app.extensions["screens"]), "mark it own_app"


@pytest.fixture(scope="session", autouse=True)
def strong_hasher() -> Iterator[PasswordHasher]:
    """Hash passwords quickly, since most tests sign in; yields the product's own hasher."""
    strong = sessions.hasher
    with pytest.MonkeyPatch.context() as patch:
        for module in (sessions, users):
            patch.setattr(module, "hasher", PasswordHasher(1, 8, 1))
        yield strong


@pytest.fixture(scope="session")
def silent_changes() -> Iterator[list[str]]:
    with watched() as silent:
        yield silent


@pytest.fixture(autouse=True)
def _changes_have_events(
    request: pytest.FixtureRequest, silent_changes: list[str]
) -> Iterator[None]:
    """Fail a test in which the product changed something without an event or a new version.

    One that writes to tables itself is marked `writes_directly`.
    """
    silent_changes.clear()
    yield
    assert silent_changes == [] or request.node.get_closest_marker("writes_directly")


@pytest.fixture(autouse=True)
def _push_request_context() -> None:
    """Keep pytest-flask from sharing one context among all requests of a test."""


@pytest.fixture(autouse=True)
def _requests_end() -> Iterator[None]:
    """End the request of a reply that a test didn't read, as a server closes each of them."""
    yield
    current_request.set(None)


@pytest.fixture
def context(app: Flask) -> Iterator[None]:
    """An application context for tests that call services themselves."""
    with app.app_context():
        yield


@pytest.fixture
def in_app(app: Flask) -> Callable[..., Any]:
    """Return a function that calls another one in a context of the application."""

    def in_app(function: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        with app.app_context():
            return function(*args, **options)

    return in_app


@pytest.fixture
def person(app: Flask) -> Person:
    return Person(app)


@pytest.fixture
def signed_in(app: Flask, in_app: Callable[..., Any]) -> Callable[..., Person]:
    """Return a function that adds a user and signs them in, in a browser of their own.

    With `division` they have chosen it.
    """

    def signed_in(
        username: str, *divisions: Division, division: Division | None = None, **options: Any
    ) -> Person:
        in_app(factories.user, username, *divisions, **options)
        person = Person(app)
        person.sign_in(username, follow=False, division=division)
        return person

    return signed_in


@pytest.fixture
def trader(signed_in: Callable[..., Person]) -> Person:
    """Return a signed-in user of GPM."""
    return signed_in("trader", Division.GPM)


@pytest.fixture
def vehicle(in_app: Callable[..., int]) -> Callable[..., int]:
    """Return a function that adds a vehicle and returns its id."""
    return partial(in_app, factories.vehicle)


@pytest.fixture
def check(in_app: Callable[..., int]) -> Callable[..., int]:
    """Return a function that submits a check and returns its id."""
    return partial(in_app, factories.check)


@pytest.fixture
def statements(app: Flask) -> Callable[[Callable[[], object]], int]:
    """Return a function that counts the SQL statements of an action, without BEGIN."""

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
