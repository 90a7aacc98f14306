"""The layout of the project and the rules that hold everywhere (docs/architecture.md)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.db import Base, db
from app.revisions import is_modelled
from tests.architecture.tree import ROOT, tracked

TOP_LEVEL = {
    *("app", "templates", "static", "widgets", "migrations", "tests", "docs", "README.md"),
    *("wsgi.py", "setup.cfg", "Makefile", "pyproject.toml"),
    *("requirements.lock", "requirements-test.lock"),
}
FEATURE_FILES = {
    *("__init__", "models", "rules", "queries", "services", "forms", "schemas", "acts", "reports"),
    *("targets", "history", "pages", "api", "cli"),
}
SHARED = {"api", "cli", "records", "server", "tables", "web"}
"""The packages of `app/` that are no features."""

MAX_FILE_LINES = 350
MAX_TEMPLATE_LINE = 160


def test_the_top_level_has_only_the_documented_entries():
    assert {path.parts[0] for path in tracked() if path.parts[0][0] != "."} == TOP_LEVEL


def test_a_feature_has_only_the_documented_layers():
    others = {
        str(path)
        for path in tracked("app/*/*.py")
        if path.parts[1] not in SHARED and path.parts[2].removesuffix(".py") not in FEATURE_FILES
    }
    assert others == set()


def test_only_transaction_commits():
    commits = [
        path
        for path in tracked("app/*.py")
        if re.search(r"session\.commit\(", (ROOT / path).read_text())
    ]
    assert commits == [Path("app/db.py")]


def test_only_demo_data_sets_the_time():
    setters = {
        path.parts[1]
        for path in tracked("app/*.py")
        if re.search(r"dates\.as_of|import .*\bas_of\b", (ROOT / path).read_text())
    }
    assert setters == {"demo"}


def test_no_file_is_too_long_to_read_at_once():
    long = {
        str(path): lines
        for path in tracked("app/*.py", "widgets/src/*", "tests/*.py")
        if (lines := len((ROOT / path).read_text().splitlines())) > MAX_FILE_LINES
    }
    assert long == {}


def test_no_line_of_a_template_is_too_long_to_read():
    long = {
        f"{path}:{number}": len(line)
        for path in tracked("templates/*.html")
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if len(line) > MAX_TEMPLATE_LINE
    }
    assert long == {}


def test_no_markup_bypasses_escaping_or_the_content_security_policy():
    bypass = re.compile(
        r"\|\s*safe\b|dangerouslySetInnerHTML|hx-on|\bstyle=(?!\{)|<script(?![^>]*\bsrc=)"
    )
    found = [
        path
        for path in tracked("templates/*", "widgets/src/*")
        if bypass.search((ROOT / path).read_text())
    ]
    assert found == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.own_app
def test_a_route_without_a_policy_is_closed(app):
    app.add_url_rule("/forgotten", view_func=lambda: "secret", endpoint="forgotten")
    reply = app.test_client().get("/forgotten")
    assert reply.status_code == 403
    assert b"secret" not in reply.data


def test_the_migrations_make_the_tables_that_the_models_describe(app):
    with app.app_context(), db.engine.connect() as connection:
        options = {"compare_type": True, "include_object": is_modelled}
        migration = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(migration, Base.metadata) == []


def test_create_app_fits_one_screen():
    source = (ROOT / "app" / "__init__.py").read_text()
    assert len(source[source.index("def create_app") :].splitlines()) <= 40


def test_services_leave_the_transaction_to_the_edge():
    openers = [
        str(path)
        for path in tracked("app/*.py")
        if {"services", "queries", "rules", "models"} & {path.stem, *path.parts}
        and "transaction(" in (ROOT / path).read_text()
    ]
    assert openers == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be DEBUG"),
        ({"APP_ENV": "production"}, "APP_ENV=production needs DATABASE_URL"),
    ],
)
def test_a_wrong_setting_ends_a_command_in_one_line(setting, message):
    command = [sys.executable, "-m", "flask", "users", "list"]
    ended = subprocess.run(
        command, cwd=ROOT, env=os.environ | setting, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Quartermaster can't start: {message}")
    assert len(ended.stderr.splitlines()) == 1
