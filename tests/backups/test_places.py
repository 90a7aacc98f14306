"""Restoring older backups, into databases without tables, and between photo stores."""

from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from app.accounts import queries
from app.db import db, read_session, transaction
from app.divisions import WHOLE_DIVISION
from app.revisions import all_revisions, current_revision
from app.stock.queries import books
from tests import factories
from tests.databases import settings_for, settle
from tests.person import PASSWORD, Person
from tests.photos.object_server import bucket_server
from tests.silent_changes import written_directly

pytestmark = pytest.mark.differs_by_engine

OLDER = Path(__file__).parent / "data" / "of-a91d4c6e70b5"
"""A backup that was made when login sessions had no generations yet."""


@pytest.fixture
def bare(app):
    """Remove all tables."""
    with app.app_context(), transaction():
        if db.engine.dialect.name == "postgresql":
            db.session.execute(text("DROP SCHEMA public CASCADE"))
            db.session.execute(text("CREATE SCHEMA public"))
    if app.config["QUARTERMASTER"].database_url.startswith("sqlite"):
        file = Path(app.config["QUARTERMASTER"].database_url.removeprefix("sqlite:///"))
        with app.app_context():
            db.engine.dispose()
        for path in file.parent.glob(f"{file.name}*"):
            path.unlink()


@pytest.mark.usefixtures("bare")
@pytest.mark.writes_directly
def test_an_older_backup_is_restored_into_a_database_without_tables_and_upgraded(app, run):
    result = run("restore", OLDER, "--verify")
    assert result.exit_code == 0, result.output
    assert "gfm/main\t2 items\t49 in stock\t3 ledger entries\t49 booked" in result.output
    with app.app_context(), read_session() as session:
        assert current_revision(session.connection()) == all_revisions()[-1]
        assert factories.amount("Red heart") == 42
        assert list(books.ledger_problems()) == []
        keeper = queries.user_named("keeper")
        assert keeper is not None
        assert set(keeper.roles().values()) == {WHOLE_DIVISION}
    page = Person(app)
    page.sign_in("keeper", PASSWORD)
    page.submit(page.open("/choose"), division="gfm")
    assert page.open("/inventory/main?q=läm").all("#total") == ["1 match"]


def test_an_older_backup_is_not_restored_into_newer_tables(run, app, rows):
    before = rows()
    result = run("restore", OLDER)
    with app.app_context():
        newest = all_revisions()[-1]
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == (
        f"Error: The database is at revision {newest}, the backup is of a91d4c6e70b5. Restore into "
        "a database without tables; they are made by this command."
    )
    assert rows() == before


@pytest.mark.usefixtures("bare")
def test_a_database_with_other_tables_is_refused(app, refused):
    with app.app_context(), transaction():
        db.session.execute(text("CREATE TABLE customers (name TEXT)"))
    output = refused("restore", OLDER)
    assert output.splitlines()[-1] == (
        "Error: This database has other tables (customers). Name an empty one in DATABASE_URL."
    )
    with app.app_context(), read_session() as session:
        assert inspect(session.connection()).get_table_names() == ["customers"]


@pytest.mark.usefixtures("full")
def test_files_are_restored_from_a_folder_into_a_bucket_and_back(
    app, backup, run, go_elsewhere, rows, monkeypatch, tmp_path
):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert {path.partition(".")[2] for path in files} == {"jpg", "thumbnail.jpg", "pdf"}
    with bucket_server(monkeypatch) as objects:
        go_elsewhere()
        url = app.config["QUARTERMASTER"].database_url
        settle(app, settings_for(url, tmp_path, photo_store="s3://photos/of/ours"))
        assert run("restore", backup, "--verify").exit_code == 0
        assert objects.kept == {f"/photos/of/ours/{path}": data for path, data in files.items()}
        assert run("backup", tmp_path / "again").exit_code == 0
    again = next((tmp_path / "again").glob("quartermaster-*"))
    for file in (*backup.glob("photos/*/*.jpg"), *backup.glob("documents/*/*.pdf")):
        assert (again / file.relative_to(backup)).read_bytes() == file.read_bytes()


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_verifying_finds_photos_that_the_store_has_changed(
    app, backup, refused, go_elsewhere, monkeypatch, tmp_path
):
    class Forgetful(dict):
        def __setitem__(self, path, data):
            kept = b"other" if "thumbnail" in path else data
            super().__setitem__(path, kept)

    with bucket_server(monkeypatch) as objects:
        objects.kept = Forgetful()
        go_elsewhere()
        url = app.config["QUARTERMASTER"].database_url
        settle(app, settings_for(url, tmp_path, photo_store="s3://photos/of/ours"))
        output = refused("restore", backup, "--verify")
    assert output.count("is another file than in the backup") == 2
    assert "Error: 2 problems. Don't work with what was restored." in output


@pytest.mark.usefixtures("full")
def test_verifying_finds_a_wrong_ledger(app, backed_up, refused, go_elsewhere):
    with app.app_context(), written_directly(), transaction():
        db.session.execute(text("UPDATE item SET amount = amount + 1 WHERE id = 1"))
    backup = backed_up()
    go_elsewhere()
    output = refused("restore", backup, "--verify")
    assert 'GFM main: "Red heart" has 46, its ledger says 45' in output
