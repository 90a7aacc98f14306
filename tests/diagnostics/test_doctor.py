"""`flask doctor`: what it looks at, when it fails, and what it advises."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.diagnostics import rules, services
from tests import factories
from tests.databases import settle

pytestmark = pytest.mark.differs_by_engine

SAFE = {
    "server_version": "17.2 (Debian 17.2-1)",
    "fsync": "on",
    "synchronous_commit": "on",
    "lock_timeout": "15s",
    "statement_timeout": "1min",
    "idle_in_transaction_session_timeout": "1min",
    "standby": "no",
}
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(hours=26)


@pytest.fixture
def run(app):
    def run(*arguments):
        result = app.test_cli_runner().invoke(args=["doctor", *map(str, arguments)])
        return result.exit_code, result.output.splitlines()

    return run


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_installation_that_works_has_a_line_for_each_look(run, tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "MIN_FREE_BYTES", 0)
    monkeypatch.setattr(rules, "MIN_FREE_PERCENT", 0)
    code, lines = run()
    assert code == 0, lines
    assert [line.partition(":")[0] for line in lines] == [
        "ok      Settings",
        "ok      Database",
        "ok      Schema",
        "ok      Disk of the database",
        "ok      Disk of the photos",
        "ok      Photo store",
        "ok      Clock",
    ]
    assert list((tmp_path / "photos").rglob("*.jpg")) == []


@pytest.mark.usefixtures("context")
def test_the_database_is_looked_at_on_its_engine():
    finding = services.look_at_database()
    if db.engine.dialect.name == "postgresql":
        # That of the tests needn't survive a crash.
        assert "lock_timeout 15s, statement_timeout 1min" in finding.text
        assert finding.advice == "What is saved may be lost in a power cut: set fsync = on."
    else:
        assert finding.text.startswith("SQLite 3.")
        assert finding.advice == ""


@pytest.mark.usefixtures("context")
def test_schema_and_clock_are_looked_at_on_each_engine():
    factories.item()
    assert services.look_at_schema().advice == ""
    assert services.look_at_clock().advice == ""


@pytest.mark.usefixtures("context")
def test_tables_of_another_revision_are_found():
    with transaction():
        db.session.execute(text("UPDATE alembic_version SET version_num = 'c5d81e3f7a20'"))
    assert services.look_at_schema().advice == "Run: flask db upgrade"


def run_with(app, run, **changes):
    settings = app.config["QUARTERMASTER"]
    settle(app, replace(settings, **changes))
    result = run()
    settle(app, settings)
    return result


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_database_that_cannot_be_opened_leaves_the_other_looks(app, run, tmp_path):
    code, lines = run_with(app, run, database_url=f"sqlite:///{tmp_path}/none/none.db")
    assert code == 1
    assert "FAILED  Database: unable to open database file" in lines
    assert "ok      Photo store: takes, returns and removes a file" in lines


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_photo_store_that_takes_nothing_fails(app, run, tmp_path):
    (tmp_path / "file").write_text("")
    code, lines = run_with(app, run, photo_store=str(tmp_path / "file"))
    assert code == 1
    assert any(line.startswith("FAILED  Photo store: The photo store is out of") for line in lines)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_newest_backup_is_judged_by_its_age(app, run, tmp_path):
    place = tmp_path / "backups"
    place.mkdir()
    _, lines = run("--backups", place)
    assert "FAILED  Backups: none" in lines
    assert app.test_cli_runner().invoke(args=["backup", str(place)]).exit_code == 0
    _, lines = run("--backups", place)
    assert "ok      Backups: the newest is 0 hours old" in lines


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_key_that_others_can_read_fails(app):
    settings = app.config["QUARTERMASTER"]
    key = Path(settings.instance) / "secret_key"
    key.touch(mode=0o644)
    assert services.look_at_settings(settings).advice == f"Run: chmod 600 {key}"
    key.chmod(0o600)
    assert services.look_at_settings(settings).advice == ""


def test_a_postgresql_that_could_lose_or_block_changes_fails():
    for setting, advice in (
        ({}, ""),
        ({"standby": "yes"}, "This is a standby"),
        ({"server_version": "12.22"}, "Update it to 13"),
        ({"fsync": "off"}, "set fsync = on"),
        ({"synchronous_commit": "off"}, "set synchronous_commit = on"),
        ({"lock_timeout": "0"}, "lock_timeout of the connection is lost"),
    ):
        found = rules.judge_postgresql(SAFE | setting).advice
        assert advice in found, setting
        assert bool(advice) == bool(found), setting


def test_a_sqlite_that_could_lose_changes_fails():
    for setting, wal_is_safe, fails in (
        ({}, True, False),
        ({}, False, True),
        ({"journal_mode": "delete"}, False, False),
        ({"synchronous": "1"}, True, True),
        ({"foreign_keys": "0"}, True, True),
    ):
        settings = {"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} | setting
        finding = rules.judge_sqlite("3.53.4", settings, wal_is_safe=wal_is_safe)
        assert bool(finding.advice) == fails, setting


def test_the_schema_is_that_of_the_release():
    for current, is_ours, advice in (
        ("b", True, ""),
        ("a", True, "Run: flask db upgrade"),
        ("c", False, "install that one"),
        (None, False, "or restore a backup"),
    ):
        found = rules.judge_schema(current, "b", is_ours=is_ours).advice
        assert advice in found, current
        assert bool(advice) == bool(found), current


@pytest.mark.parametrize(("free", "fails"), [(0, True), (2, True), (20, False)])
def test_a_disk_that_is_nearly_full_fails(free, fails):
    gigabyte = 1024**3
    finding = rules.judge_space("Disk", "/srv", free * gigabyte, 100 * gigabyte)
    assert bool(finding.advice) == fails


def test_the_clock_agrees_with_the_database_and_with_what_was_recorded():
    for ahead, last, text_ in (
        (0.4, NOW, "agrees with the database"),
        (7, None, "7 seconds ahead of the database's"),
        (-7, None, "7 seconds behind the database's"),
        (0, NOW + timedelta(hours=1), "before the last entry, of 2026-11-22 13:00 UTC"),
    ):
        assert rules.judge_clock(ahead, last, NOW).text == text_, ahead


def test_backups_are_young_and_whole():
    for age, missing, fails in (
        (None, 0, True),
        (timedelta(hours=25), 0, False),
        (timedelta(hours=27), 0, True),
        (timedelta(hours=1), 2, True),
    ):
        assert bool(rules.judge_backup(age, DAY, missing).advice) == fails, age
