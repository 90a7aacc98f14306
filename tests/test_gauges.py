"""What /metrics says about the installation, and what the commands note for it."""

import pytest
from sqlalchemy import text

from app.db import db
from app.gauges import GAUGES
from tests import factories

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def values(app):
    """Return a function that reads all gauges, by the ends of their names."""

    def read() -> dict[str, float | None]:
        with app.app_context():
            return {name.removeprefix("quartermaster_"): g.read() for name, g in GAUGES.items()}

    return read


@pytest.fixture
def run(app):
    return lambda *arguments: app.test_cli_runner().invoke(args=[str(a) for a in arguments])


def test_what_has_not_run_yet_has_no_value(values):
    assert values() == {
        "photos_stored": 0,
        "backup_last_success_timestamp_seconds": None,
        "ledger_ok": None,
        "ledger_verified_timestamp_seconds": None,
    }


def test_photos_are_counted(app, values):
    with app.app_context():
        factories.photo(factories.user())
    assert values()["photos_stored"] == 1


def test_a_whole_backup_is_noted_with_its_time_and_a_failed_one_is_not(values, run, tmp_path):
    assert run("backup", tmp_path / "backups").exit_code == 0
    first = values()["backup_last_success_timestamp_seconds"]
    assert first is not None
    (tmp_path / "file").touch()
    assert run("backup", tmp_path / "file").exit_code != 0
    assert values()["backup_last_success_timestamp_seconds"] == first


def test_the_ledger_is_ok_until_a_check_finds_it_wrong(app, in_app, values, run):
    in_app(factories.item, "Red heart", 5)
    assert run("ledger", "verify").exit_code == 0
    assert values()["ledger_ok"] == 1
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE item SET amount = 6"))
    assert run("ledger", "verify").exit_code == 1
    assert values()["ledger_ok"] == 0


def test_the_runs_of_another_database_do_not_count(app, values, run):
    assert run("ledger", "verify").exit_code == 0
    settings = app.config["QUARTERMASTER"]
    object.__setattr__(settings, "database_url", "postgresql+psycopg://u:p@db/another")
    assert values()["ledger_ok"] is None


def test_a_run_that_cannot_be_noted_does_not_fail(app, values, run, tmp_path):
    object.__setattr__(app.config["QUARTERMASTER"], "instance", tmp_path / "nowhere")
    assert run("ledger", "verify").exit_code == 0
    assert values()["ledger_ok"] is None
