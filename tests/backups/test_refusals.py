"""Backups and installations that `flask restore` refuses, without restoring anything."""

import gzip
import hashlib
import json
import shutil
from pathlib import Path

import pytest
from sqlalchemy import delete

from app.accounts.models import AccessGrant
from app.backups import queries
from app.db import db, transaction
from tests import factories
from tests.photos.photo_files import jpeg
from tests.silent_changes import written_directly

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("full")]


def seal(backup, change):
    """Change a manifest and its hash with it."""
    manifest = json.loads((backup / "manifest.json").read_text())
    change(manifest)
    text = json.dumps(manifest)
    (backup / "manifest.json").write_text(text)
    line = f"{hashlib.sha256(text.encode()).hexdigest()}  manifest.json\n"
    (backup / "manifest.json.sha256").write_text(line)


def replace_rows(backup, table, change):
    """Change a table's rows and the manifest with them."""
    path = backup / f"tables/{table}.jsonl.gz"
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    change(rows)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    path.write_bytes(gzip.compress(lines))

    def note(manifest):
        (file,) = (file for file in manifest["tables"] if file["name"] == table)
        file |= {"rows": len(rows), "sha256": hashlib.sha256(lines).hexdigest()}

    seal(backup, note)


@pytest.fixture
def is_untouched(app, rows):
    """Return a function that checks that nothing was restored."""

    def is_untouched():
        folder = Path(app.config["QUARTERMASTER"].photo_store)
        tables = {table for table, lines in rows().items() if lines}
        return tables == queries.FILLED_BY_MIGRATIONS and not list(folder.rglob("*.*"))

    return is_untouched


def overwrite(path):
    packed = path.read_bytes()
    path.write_bytes(packed[:-8] + b"xxxx" + packed[-4:])


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def rewrite(path):
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b"Red", b"Bed")))


DAMAGES = {
    "tables/item.jsonl.gz is missing.": ("tables/item.jsonl.gz", Path.unlink),
    "tables/item.jsonl.gz is cut off.": ("tables/item.jsonl.gz", cut),
    "tables/item.jsonl.gz is damaged.": ("tables/item.jsonl.gz", overwrite),
    "tables/item.jsonl.gz is not the file that was written.": ("tables/item.jsonl.gz", rewrite),
    "photos.jsonl.gz is cut off.": ("photos.jsonl.gz", cut),
    "jpg is missing.": ("photos/*/*.jpg", Path.unlink),
    "jpg is not the file that was written.": ("photos/*/*.jpg", cut),
    "manifest.json is not the file that was written.": ("manifest.json", cut),
    "is not a backup: it has no manifest.json.": ("manifest.json", Path.unlink),
    "it has no manifest.json.sha256.": ("manifest.json.sha256", Path.unlink),
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_damaged_backup_is_refused_and_its_damaged_file_named(
    app, backup, go_elsewhere, is_untouched, run, tmp_path
):
    go_elsewhere()
    for number, (message, (pattern, damage)) in enumerate(DAMAGES.items()):
        copy = shutil.copytree(backup, tmp_path / f"copy-{number}")
        damage(next(copy.glob(pattern)))
        for options in ((), ("--dry-run",)):
            result = run("restore", copy, *options)
            assert (result.exit_code, message in result.output) == (1, True), result.output
            assert result.output.splitlines()[-1].startswith("Error: ")
    assert is_untouched()
    assert run("restore", backup, "--dry-run").exit_code == 0
    assert is_untouched()
    assert run("restore", backup, "--verify").exit_code == 0


NOT_A_MANIFEST = "manifest.json is not the manifest of a backup."
OTHER_MANIFESTS = (
    ({"format": 2}, "The backup has format 2, this version reads 1."),
    ({"revision": "0123456789ab"}, "The backup is of a newer version (revision 0123456789ab)"),
    ({"photos": None}, NOT_A_MANIFEST),
    ({"version": 1}, NOT_A_MANIFEST),
    ({"more": 1}, NOT_A_MANIFEST),
    ({"tables": [{"name": "../x", "rows": 0, "sha256": "0" * 64, "last_id": 0}]}, NOT_A_MANIFEST),
)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_backup_of_another_kind_is_refused(backup, go_elsewhere, is_untouched, run, tmp_path):
    go_elsewhere()
    for number, (change, message) in enumerate(OTHER_MANIFESTS):
        copy = shutil.copytree(backup, tmp_path / f"copy-{number}")
        seal(copy, lambda manifest, change=change: manifest.update(change))
        result = run("restore", copy)
        assert (result.exit_code, message in result.output) == (1, True), result.output
    assert is_untouched()


def test_a_backup_from_before_releases_were_recorded_is_restored(backup, go_elsewhere, run):
    seal(backup, lambda manifest: manifest.pop("version"))
    go_elsewhere()
    assert run("restore", backup, "--verify").exit_code == 0


REFUSED = "item.jsonl.gz holds a row that the database refuses ("
NOT_A_ROW = "jsonl.gz holds a line that is no row of its table."
ODD_ROWS = (
    ("item", lambda rows: rows[0].update(amount=-1), REFUSED),
    ("item", lambda rows: rows[0].update(site_id=99), REFUSED),
    ("item", lambda rows: rows[1].update(id=rows[0]["id"]), REFUSED),
    ("item", lambda rows: rows[0].pop("unit"), NOT_A_ROW),
    ("item", lambda rows: rows.append(1), NOT_A_ROW),
    ("vehicle_check", lambda rows: rows[0].update(day="soon"), NOT_A_ROW),
    ("item", lambda rows: rows.reverse(), "The rows of item differ after the restore."),
)


def test_rows_that_the_database_refuses_or_changes_roll_everything_back(
    backup, go_elsewhere, rows, run, tmp_path
):
    go_elsewhere()
    before = rows()
    for number, (table, change, message) in enumerate(ODD_ROWS):
        copy = shutil.copytree(backup, tmp_path / f"copy-{number}")
        replace_rows(copy, table, change)
        result = run("restore", copy)
        assert (result.exit_code, message in result.output) == (1, True), result.output
        assert len(result.output.splitlines()) == 2
    assert rows() == before


def test_a_backup_that_lacks_a_table_is_refused(backup, go_elsewhere, rows, run):
    seal(backup, lambda manifest: manifest["tables"].pop(0))
    go_elsewhere()
    before = rows()
    result = run("restore", backup)
    assert (result.exit_code, "aren't those of its revision: asset" in result.output) == (1, True)
    assert rows() == before


def test_a_database_in_use_is_refused(app, backup, rows, refused, go_elsewhere):
    go_elsewhere()
    with app.app_context():
        factories.user("somebody")
        with written_directly(), transaction():
            db.session.execute(delete(AccessGrant))
    before = rows()
    output = refused("restore", backup)
    error = "Error: This database is in use (audit_entry is not empty). Restore into an empty one."
    assert output.splitlines()[-1] == error
    assert rows() == before


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_photo_store_with_other_photos_or_contents_is_refused(
    app, backup, go_elsewhere, rows, refused
):
    go_elsewhere()
    before = rows()
    name = hashlib.sha256(jpeg()).hexdigest()
    other = Path(app.config["QUARTERMASTER"].photo_store) / name[:2] / f"{name}.jpg"
    other.parent.mkdir(parents=True)
    other.write_bytes(jpeg())
    output = refused("restore", backup)
    assert output.endswith(
        f"The photo store holds files that aren't in this backup, such as {other.name}. "
        "Name an empty place in PHOTO_STORE.\n"
    )
    assert rows() == before
    assert other.read_bytes() == jpeg()
    assert len(list(other.parent.parent.rglob("*.jpg"))) == 1
    other.unlink()
    saved = next(backup.glob("photos/*/*.jpg"))
    stored = other.parent.parent / saved.parent.name / saved.name
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_bytes(b"x" * saved.stat().st_size)
    output = refused("restore", backup)
    assert output.endswith(f"The photo store holds another {saved.name}; remove it.\n")
    assert rows() == before


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_interrupted_restore_can_be_repeated(app, backup, go_elsewhere, run):
    go_elsewhere()
    saved = next(backup.glob("photos/*/*.jpg"))
    stored = Path(app.config["QUARTERMASTER"].photo_store) / saved.parent.name / saved.name
    stored.parent.mkdir(parents=True)
    shutil.copy(saved, stored)
    stored.with_name(f"{saved.name}.0011223344556677.part").write_bytes(b"o")
    assert run("restore", backup, "--verify").exit_code == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_folder_of_backups_is_refused_with_the_name_of_the_newest(backup, refused):
    (backup.parent / "quartermaster-2026-01-01T020000Z").mkdir()
    output = refused("restore", backup.parent)
    error = f"Error: Name one of the backups in {backup.parent}, such as the newest: {backup}\n"
    assert output == error
