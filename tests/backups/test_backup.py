"""`flask backup`: all tables as of one moment and their photos, or no backup at all."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from sqlalchemy import delete, select, text

from app import dates
from app.accounts.models import LoginSession
from app.attachments.models import Attachment
from app.backups import queries
from app.backups.services import saving
from app.db import db, transaction
from app.fleet.models import CheckPhoto
from app.photos.models import Document, DocumentUpload, Photo, PhotoUpload
from app.revisions import VERSION
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.architecture.test_house import ROOT
from tests.backups.conftest import all_lines, lines_of
from tests.databases import SECRET
from tests.factories import DAY, MAIN
from tests.silent_changes import written_directly

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("full")]


def test_a_backup_is_a_folder_of_its_owner_that_names_the_release(run, place):
    result = run("backup", place)
    assert result.exit_code == 0
    (backup,) = place.glob("quartermaster-*")
    files = r"5 files of photos and documents \(\d,\d+ bytes\)"
    assert re.fullmatch(rf"{backup}: \d+ rows of \d+ tables, {files}\.\n", result.output)
    assert [path.name for path in place.iterdir() if path.is_dir()] == [backup.name]
    modes = {path.stat().st_mode & 0o777 for path in backup.rglob("*") if path.is_file()}
    folders = {path.stat().st_mode & 0o777 for path in (place, backup, *backup.rglob("*/"))}
    assert modes == {0o600}
    assert folders - modes == {0o700}
    manifest = json.loads((backup / "manifest.json").read_text())
    assert (manifest["format"], manifest["version"]) == (1, VERSION)


def test_a_new_database_has_rows_only_in_the_tables_that_migrations_fill(go_elsewhere, rows):
    go_elsewhere()
    assert {table for table, lines in rows().items() if lines} == queries.FILLED_BY_MIGRATIONS


def test_a_backup_has_password_hashes_and_no_login_sessions(app, person, backed_up):
    person.sign_in("keeper", follow=False)
    with app.app_context():
        session = db.session.execute(select(LoginSession.id)).scalar_one()
    backup = backed_up()
    users = lines_of(backup, "user_account")
    assert all(user["password_hash"].startswith("$argon2id$") for user in users)
    assert session.encode() not in all_lines(backup)
    assert b"$argon2id$" in all_lines(backup)


def test_a_backup_is_of_one_moment_while_people_work(app, in_app, place):
    ids = in_app(factories.items, [(f"Item {n:02d}", 1000) for n in range(40)])
    withdrawn, done = threading.Semaphore(0), threading.Event()

    def work(number):
        with app.app_context():
            for n in range(10_000):
                if done.is_set():
                    return
                with transaction():
                    item = ids[(n * 7 + number) % len(ids)]
                    movements.withdraw(MAIN, [StockLine(item, 1)], team="Race", on=DAY, by=1)
                withdrawn.release()

    def wait_for_others(_=1):
        assert withdrawn.acquire(timeout=30)

    @contextmanager
    def slowly(_label, _length):
        """Wait for a change of stock at each step, so that tables are read at different times."""
        waits = iter(range(60))
        yield lambda _: next(waits, None) is not None and wait_for_others()

    people = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
    for one in people:
        one.start()
    try:
        for _ in range(5):
            wait_for_others()
        backup, manifest, _ = in_app(
            saving.save, place, made_at=dates.utc_now(), keep=None, bar=slowly
        )
    finally:
        done.set()
        for one in people:
            one.join()
    booked = {row["id"]: 0 for row in lines_of(backup, "item")}
    for entry in lines_of(backup, "ledger_entry"):
        booked[entry["item_id"]] += entry["delta"]
    assert booked == {row["id"]: row["amount"] for row in lines_of(backup, "item")}
    assert all(sums.amount == sums.booked for sums in manifest.stores)
    with app.app_context():
        now = sum(factories.amount(f"Item {n:02d}") for n in range(40))
    assert now < sum(booked[id_] for id_ in ids) < 40_000


def test_a_photo_that_is_swept_during_the_backup_does_not_count_as_missing(
    app, in_app, in_bucket, place, run
):
    in_app(factories.photo, 1, "blue")

    def sweep(method):
        if method == "GET" and in_bucket.kept:
            in_bucket.kept.clear()
            with app.app_context(), written_directly(), transaction():
                for model in (Attachment, DocumentUpload, Document, PhotoUpload, CheckPhoto, Photo):
                    db.session.execute(delete(model))

    in_bucket.meanwhile = sweep
    result = run("backup", place)
    assert (result.exit_code, "0 files of photos and documents" in result.output) == (0, True)


def test_a_killed_backup_leaves_nothing_that_looks_like_a_backup(
    app, in_app, in_bucket, place, run, refused
):
    in_app(factories.photo, 1, "blue")
    command = [sys.executable, "-m", "flask", "--app", "wsgi", "backup", str(place)]
    used = app.config["QUARTERMASTER"]
    settings = {
        "APP_ENV": "development",
        "DATABASE_URL": used.database_url,
        "PHOTO_STORE": used.photo_store,
        "SECRET_KEY": SECRET,
    }
    killed = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings)
    in_bucket.meanwhile = lambda _: os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    in_bucket.meanwhile = lambda _: None
    (unfinished,) = (path for path in place.iterdir() if path.is_dir())
    assert (unfinished / "tables/item.jsonl.gz").exists()
    output = refused("restore", unfinished)
    assert output == f"Error: {unfinished} is not a backup: it has no manifest.json.\n"
    repeated = run("backup", place)
    made = [path.name.partition("-")[0] for path in place.iterdir() if path.is_dir()]
    assert made == ["quartermaster"], repeated.output


def test_a_database_of_another_version_is_not_backed_up(app, place, refused):
    with app.app_context(), transaction():
        db.session.execute(text("UPDATE alembic_version SET version_num = '4f1c0a7be2d9'"))
    output = refused("backup", place)
    assert output.startswith("Error: The database is at revision 4f1c0a7be2d9, this version")
    assert len(output.splitlines()) == 1
    assert list(place.glob("quartermaster-*")) == []


def test_a_place_that_cannot_be_created_is_named_in_the_error(refused):
    output = refused("backup", "/dev/null/backups")
    assert output.startswith("Error: /dev/null")
    assert "can't be made, read or written: not a directory." in output
    assert "Errno" not in output
