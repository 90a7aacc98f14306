"""Other files in a folder of backups: they are kept or cleaned up, and never stop a backup."""

import pytest

from app.backups import rules

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

OLD = "quartermaster-2020-01-01T023000Z"


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
