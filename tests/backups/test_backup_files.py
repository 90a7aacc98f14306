"""The files of backups, several backups in one place, and other files beside them."""

import fcntl
import json
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from app import dates
from app.backups import queries, rules
from app.backups.rules import line_of
from app.backups.services import saving
from app.db import Base
from app.errors import Conflict
from tests import factories

OLD = "quartermaster-2020-01-01T023000Z"

pytestmark = [
    pytest.mark.usefixtures("full"),
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]


@contextmanager
def no_bar(_label, _length):
    yield lambda _: None


def test_the_usual_tools_can_check_the_manifest(backup):
    command = ["sha256sum", "--check", "--strict", "manifest.json.sha256"]
    checked = subprocess.run(command, cwd=backup, capture_output=True, check=False)
    assert checked.returncode == 0


def test_every_table_but_sessions_wrong_passwords_and_waiting_files_is_in_a_backup(backup):
    manifest = json.loads((backup / "manifest.json").read_text())
    saved = {table["name"] for table in manifest["tables"]}
    assert saved.isdisjoint(queries.EXCLUDED)
    assert saved | queries.EXCLUDED.keys() == Base.metadata.tables.keys()
    assert queries.EXCLUDED.keys() == {"import_draft", "login_session", "sign_in_failure"}


def test_the_installation_of_these_tests_has_rows_in_every_table(rows):
    assert [table for table, lines in rows().items() if not lines] == []


def test_a_value_that_could_not_be_restored_is_refused():
    with pytest.raises(TypeError, match="can't hold a bytes yet"):
        line_of({"picture": b"1"})


def test_a_second_backup_keeps_the_first_and_links_its_photos(backup, backed_up):
    # Backups are named by the second.
    first = backup.rename(backup.with_name("quartermaster-2026-01-15T020000Z"))
    before = {path: path.read_bytes() for path in first.rglob("*") if path.is_file()}
    second = backed_up()
    assert {path: path.read_bytes() for path in first.rglob("*") if path.is_file()} == before
    photos = list(second.glob("photos/*/*.jpg"))
    assert len(photos) == 4
    for photo in photos:
        assert photo.samefile(first / photo.relative_to(second))


def test_a_photo_that_differs_in_the_earlier_backup_is_not_linked(backup, backed_up, run):
    first = backup.rename(backup.with_name("quartermaster-2026-01-15T020000Z"))
    spoilt = next(first.glob("photos/*/*.jpg"))
    spoilt.write_bytes(b"spoilt")
    assert run("restore", backed_up(), "--dry-run").exit_code == 0
    assert spoilt.read_bytes() == b"spoilt"


def test_a_backup_never_replaces_another(app, place):
    moment = dates.utc_now()
    with app.app_context():
        first = saving.save(place, made_at=moment, keep=None, bar=no_bar)[0]
        before = sorted(place.rglob("*"))
        with pytest.raises(Conflict, match="already exists"):
            saving.save(place, made_at=moment, keep=None, bar=no_bar)
    assert sorted(place.rglob("*")) == before
    assert first in before


def test_only_the_newest_backups_are_kept_and_other_folders_stay(place, run):
    olds = [f"quartermaster-2026-01-{day:02d}T020000Z" for day in range(1, 5)]
    for name in (*olds, "quartermaster-notes", "photos"):
        (place / name).mkdir(parents=True)
    result = run("backup", place, "--keep", 3)
    assert result.exit_code == 0
    remaining = {path.name for path in place.iterdir() if path.is_dir()}
    assert remaining >= {*olds[2:], "quartermaster-notes", "photos"}
    assert remaining.isdisjoint(olds[:2])
    assert len(remaining) == 5
    assert f"{olds[0]} removed." in result.output


def test_a_missing_or_damaged_file_is_named_and_everything_else_is_saved(app, place, run, refused):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    lost, spoilt = (path for path in folder.rglob("*.jpg") if "thumbnail" not in path.name)
    (document,) = folder.glob("documents/*/*.pdf")
    lost.unlink()
    for file in (spoilt, document):
        file.write_bytes(b"spoilt")
    (place / "quartermaster-2026-01-01T020000Z").mkdir(parents=True)
    output = refused("backup", place, "--keep", 1)
    for name in (lost.name, spoilt.name, f"documents/{document.name}"):
        assert f"{name} is not in the photo store, or damaged" in output
    assert "Error: 3 problems. The backup holds everything else.\n" in output
    older, backup = sorted(place.glob("quartermaster-*"))
    assert older.name == "quartermaster-2026-01-01T020000Z"
    checked = run("restore", backup, "--dry-run")
    assert checked.exit_code == 0
    assert f"Missing when it was made: {lost.name}" in checked.output
    assert "2 files of photos and documents" in checked.output


def test_a_changed_document_of_a_backup_is_named_and_nothing_is_restored(backup, refused):
    (document,) = backup.glob("documents/*/*.pdf")
    document.write_bytes(b"spoilt")
    output = refused("restore", backup)
    assert f"documents/{document.parent.name}/{document.name} is not the file" in output


def test_without_the_photo_store_there_is_no_backup(in_app, in_bucket, place, refused):
    in_app(factories.photo, 1, "blue")
    in_bucket.fails = True
    output = refused("backup", place)
    error = "Error: The photo store is out of reach. Try again in a moment.\n"
    assert output.endswith(error)
    assert [path for path in place.iterdir() if path.is_dir()] == []


def test_two_backups_to_one_place_at_once_are_refused(place, refused):
    place.mkdir()
    with (place / ".quartermaster-lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        output = refused("backup", place)
    assert output == f"Error: Another backup is being written to {place}.\n"


def test_links_and_files_named_like_backups_are_neither_counted_nor_removed(run, place, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    place.mkdir()
    (place / OLD).symlink_to(elsewhere)
    (place / OLD.replace("2020", "2999")).write_text("a note")
    (place / OLD.replace("2020", "2019")).mkdir()
    result = run("backup", place, "--keep", 1)
    assert result.exit_code == 0, result.output
    assert result.output.endswith("\nquartermaster-2019-01-01T023000Z removed.\n")
    assert (place / OLD / "kept").exists()
    assert (place / OLD.replace("2020", "2999")).read_text() == "a note"


def test_unfinished_links_and_files_are_removed_without_their_targets(run, place, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place.mkdir()
    (place / f"{rules.UNFINISHED}link").symlink_to(elsewhere)
    (place / f"{rules.UNFINISHED}file").touch()
    (place / f"{rules.UNFINISHED}folder").mkdir()
    result = run("backup", place)
    assert result.exit_code == 0, result.output
    assert not list(place.glob(f"{rules.UNFINISHED}*"))
    assert elsewhere.is_dir()


def test_a_lock_that_is_a_link_is_refused_and_its_target_is_kept(run, place, tmp_path, refused):
    other = tmp_path / "other"
    other.write_text("precious")
    place.mkdir()
    (place / rules.LOCK).symlink_to(other)
    output = refused("backup", place)
    assert output.startswith("Error: ")
    assert rules.LOCK in output
    assert other.read_text() == "precious"
    (place / rules.LOCK).unlink()
    assert run("backup", place).exit_code == 0
    assert (place / rules.LOCK).stat().st_mode & 0o777 == 0o600
