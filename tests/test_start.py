"""What a start imports, which is nothing that only few need, and what memory a server keeps."""

import subprocess
import sys

import pytest

from tests.serving import ROOT, environment

FOR_COMMANDS = {"alembic", "flask_migrate", "app.backups", "app.demo"}
FOR_FILES = {"PIL", "obstore", "xlsxwriter"}
FOR_POSTGRESQL = {"psycopg", "app.postgresql"}
FOR_PAGES = {"app.routes", "app.web", "app.api", "flask_smorest", "marshmallow", "wtforms"}

REPORT = """
from app.db import Base
print("loaded:", *sys.modules)
print("tables:", *Base.metadata.tables)
"""
PAGES = """
import gc, sys, wsgi
assert gc.isenabled()
assert gc.get_freeze_count() > len(gc.get_objects())
client = wsgi.app.test_client()
ready = client.get("/readyz", base_url="https://localhost")
page = client.get("/login", base_url="https://localhost")
assert (ready.status_code, page.status_code) == (200, 200), ready.text
"""
LARGE_LISTS = """
import sys
from pathlib import Path
from app.cli.serve import return_freed_memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

return_freed_memory()
before = resident()
for size in (8, 20, 20):
    b"x" * (size * 1024 * 1024)
assert resident() - before < 8 * 1024 * 1024
"""
COMMANDS = """
import sys
from flask.cli import main
tables = set()
for command in sys.argv[1:]:
    sys.argv = ["flask", *command.split()]
    try:
        main()
    except SystemExit as end:
        assert end.code == 0
    from app.db import Base
    tables = tables or set(Base.metadata.tables)
assert tables == set(Base.metadata.tables), "the first command lacked some"
"""

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
pytestmark = pytest.mark.slow


@pytest.fixture
def run(database_url, tmp_path):
    """Return a function that runs a program, and returns the modules and tables that it has."""

    def run(program: str, *arguments: str) -> tuple[set[str], set[str]]:
        ended = subprocess.run(
            [sys.executable, "-c", program + REPORT, *arguments],
            cwd=ROOT,
            env=environment(database_url, tmp_path),
            capture_output=True,
            text=True,
            check=True,
        )
        modules, _, tables = ended.stdout.rpartition("loaded:")[2].partition("tables:")
        return set(modules.split()), set(tables.split())

    return run


@on_sqlite
def test_serving_adds_the_server_alone(run):
    modules, _ = run(COMMANDS, "serve --help")
    assert {"app.routes", "granian"} <= modules
    assert modules & (FOR_COMMANDS | FOR_FILES | FOR_POSTGRESQL) == set()


@on_sqlite
def test_pages_import_no_command_and_commands_no_pages_but_both_all_tables(run):
    """Nor does a page import what photos need, or a garbage collection look at what it did."""
    modules, of_pages = run(PAGES)
    assert "app.routes" in modules
    assert modules & (FOR_COMMANDS | FOR_FILES | FOR_POSTGRESQL | {"granian"}) == set()
    modules, of_commands = run(COMMANDS, "version", "users list")
    assert "app.accounts.cli" in modules
    assert modules & (FOR_COMMANDS | FOR_FILES | FOR_POSTGRESQL | FOR_PAGES | {"granian"}) == set()
    assert of_commands == of_pages, "backups go by them"
    assert {"item", "user_account", "idempotency_key", "data_version"} <= of_commands


@on_sqlite
def test_a_server_gives_the_memory_of_a_large_list_back(run):
    run(LARGE_LISTS)


def test_help_lists_every_command_with_its_help(shared_app):
    listed = shared_app.test_cli_runner().invoke(args=["--help"]).output
    assert "  backup      Back up database, photos and documents into a new folder" in listed
    assert "  db          Perform database migrations." in listed
    assert "  users       Create and manage accounts." in listed
    unlisted = [name for name in shared_app.cli.list_commands(None) if f"\n  {name} " not in listed]
    assert unlisted == []
