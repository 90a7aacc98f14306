"""Photo stores: a folder and a bucket behave alike."""

import base64
import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import create_app
from app.config import Settings, SettingsError
from app.db import db, transaction
from app.divisions import Division
from app.errors import DiskFull, NotFound, Unavailable
from app.photos.services import photo_bucket
from app.photos.services.photo_store import hash_of, open_store
from tests import factories
from tests.databases import settings_for
from tests.person import Caller, Person
from tests.photos.object_server import bucket_server
from tests.photos.photo_files import address, jpeg, send

pytestmark = pytest.mark.differs_by_engine

NAME = "ab" + "0" * 62 + ".jpg"
OTHER = "cd" + "0" * 62 + ".thumbnail.jpg"


@pytest.fixture
def objects(monkeypatch):
    """A server that speaks S3's calls, which the usual settings point at."""
    with bucket_server(monkeypatch) as server:
        yield server


@pytest.fixture(params=["folder", "bucket"])
def store(request, tmp_path):
    if request.param == "folder":
        (tmp_path / "photos").mkdir()
        return open_store(str(tmp_path / "photos"))
    request.getfixturevalue("objects")
    return open_store("s3://photos/of/ours/")


def test_a_file_is_stored_read_and_deleted_and_each_can_be_repeated(store):
    assert not store.exists(NAME)
    for _ in range(2):
        store.put(NAME, b"one")
        assert store.exists(NAME)
        assert store.get(NAME) == b"one"
    for _ in range(2):
        store.delete(NAME)
        assert not store.exists(NAME)
        with pytest.raises(NotFound, match=r"^This file is no longer there\.$"):
            store.get(NAME)


def test_the_files_are_listed_with_size_and_time(store):
    names = {NAME, OTHER, *(f"{n:064x}.jpg" for n in range(5))}
    for name in names:
        store.put(name, name.encode())
    listed = list(store.files())
    assert {file.name for file in listed} == names
    assert {hash_of(file.name) for file in listed} == {name[:64] for name in names}
    assert all(file.size == len(file.name) for file in listed)
    assert all(file.modified <= datetime.now(UTC) for file in listed)


def test_documents_are_apart_from_photos_of_the_same_hash(store):
    document = f"documents/{NAME[:64]}.pdf"
    store.put(NAME, b"photo")
    store.put(document, b"document")
    assert (store.get(NAME), store.get(document)) == (b"photo", b"document")
    assert {file.name: hash_of(file.name) for file in store.files()} == {
        NAME: NAME[:64],
        document: NAME[:64],
    }
    store.delete(NAME)
    assert [file.name for file in store.files()] == [document]


def test_a_document_is_where_an_earlier_release_looks_for_no_photo(tmp_path):
    name = f"{'ab' * 32}.pdf"
    open_store(str(tmp_path)).put(f"documents/{name}", b"document")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [tmp_path / "documents/ab" / name]


def test_a_folder_shards_by_the_first_two_characters_and_leaves_nothing_unfinished(tmp_path):
    open_store(str(tmp_path)).put(NAME, b"one")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [tmp_path / "ab" / NAME]


def test_a_folder_lists_unfinished_files_but_no_foreign_ones(tmp_path):
    store = open_store(str(tmp_path))
    store.put(NAME, b"one")
    (tmp_path / "ab" / f"{NAME}.0011223344556677.part").write_bytes(b"o")
    (tmp_path / "ab" / "holiday.jpg").write_bytes(b"not ours")
    (tmp_path / "notes.txt").write_bytes(b"not ours")
    assert {file.name for file in store.files()} == {NAME, f"{NAME}.0011223344556677.part"}


def test_a_folder_with_a_foreign_link_to_itself_lists_our_files(tmp_path):
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "loop").symlink_to("loop")
    store = open_store(str(tmp_path))
    assert list(store.files()) == []
    store.put(NAME, b"one")
    assert [file.name for file in store.files()] == [NAME]


def test_a_folder_can_be_listed_while_files_are_added_and_removed(tmp_path):
    store = open_store(str(tmp_path))
    store.put(NAME, b"one")
    folder, is_listed = tmp_path / "ab", threading.Event()

    def create_and_delete():
        while not is_listed.is_set():
            unfinished = folder / f"{NAME}.0011223344556677.part"
            unfinished.write_bytes(b"o")
            unfinished.unlink()

    writer = threading.Thread(target=create_and_delete)
    writer.start()
    try:
        for _ in range(3000):
            assert NAME in {file.name for file in store.files()}
    finally:
        is_listed.set()
        writer.join()


def test_a_bucket_lists_no_foreign_files(objects):
    store = open_store("s3://photos/of/ours")
    store.put(NAME, b"one")
    objects.kept["/photos/of/others/" + NAME] = b"not ours"
    objects.kept["/photos/of/ours/report.pdf"] = b"not ours"
    assert [file.name for file in store.files()] == [NAME]
    assert f"/photos/of/ours/ab/{NAME}" in objects.kept


def test_a_bucket_without_a_prefix_works_too(objects):
    store = open_store("s3://photos")
    store.put(NAME, b"one")
    assert store.get(NAME) == b"one"
    assert list(objects.kept) == [f"/photos/ab/{NAME}"]


def expect_out_of_reach(store):
    for work in (
        lambda: store.put(NAME, b"one"),
        lambda: store.get(NAME),
        lambda: store.exists(NAME),
        lambda: list(store.files()),
    ):
        with pytest.raises(Unavailable):
            work()


def test_a_folder_that_is_away_is_out_of_reach_and_not_made_anew(tmp_path):
    folder = tmp_path / "photos"
    expect_out_of_reach(open_store(str(folder)))
    assert not folder.exists(), "what is stored there would be hidden by the folder's return"


def test_a_full_disk_refuses_a_file_leaves_nothing_of_it_and_heals(tmp_path, monkeypatch):
    store = open_store(str(tmp_path))

    def fail(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(
            DiskFull, match=r"^The server's disk is full\. Nothing was changed\."
        ) as full:
            store.put(NAME, b"one")
    assert (full.value.status, full.value.retry_after) == (507, 60)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    store.put(NAME, b"one")
    assert store.get(NAME) == b"one"


def test_a_bucket_that_fails_is_out_of_reach(objects):
    objects.fails = True
    store = open_store("s3://photos")
    expect_out_of_reach(store)
    with pytest.raises(Unavailable):
        store.delete(NAME)
    assert len(objects.calls) > 5, "a call that failed is made again"


def test_a_bucket_that_hangs_is_waited_for_by_few(objects, monkeypatch):
    monkeypatch.setattr(photo_bucket, "MAX_WAIT_SECONDS", 0.05)
    store = open_store("s3://photos")
    store.put(NAME, b"one")
    hanging, goes_on = threading.Semaphore(0), threading.Event()

    def hang(_method):
        hanging.release()
        goes_on.wait(10)

    objects.meanwhile = hang
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(store.get, NAME) for _ in range(photo_bucket.MAX_CALLS)]
        for _ in waiting:
            assert hanging.acquire(timeout=10)
        with pytest.raises(Unavailable):
            store.get(NAME)
        goes_on.set()
        assert [call.result() for call in waiting] == [b"one"] * photo_bucket.MAX_CALLS
    assert store.get(NAME) == b"one"


@pytest.fixture
def app_with_bucket(objects, database_url, tmp_path):
    app = create_app(settings_for(database_url, tmp_path, photo_store="s3://photos/of/ours"))
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def call(app_with_bucket):
    with app_with_bucket.app_context():
        factories.user("driver", Division.FLEET)
    person = Person(app_with_bucket)
    person.sign_in("driver", follow=False)
    return Caller(person)


def test_photos_go_to_the_bucket_that_the_settings_name(objects, call):
    assert send(call, jpeg()).status_code == 201
    kept = call("GET", address(jpeg())).data
    assert kept in objects.kept.values()
    assert len(objects.kept) == 2
    objects.calls.clear()
    assert call("HEAD", address(jpeg())).content_length == len(kept)
    assert [request.partition(" ")[0] for request in objects.calls] == ["HEAD"]
    objects.fails = True
    reply = send(call, jpeg((99, 99)))
    assert reply.status_code == 503
    assert reply.headers["Retry-After"] == "5"


@pytest.fixture
def written(objects, app_with_bucket):
    """Write to the database during each call to the bucket; return the list of these writes."""
    times = []

    def write(method):
        if method == "PUT":
            with app_with_bucket.app_context(), transaction():
                times.append(method)

    objects.meanwhile = write
    return times


def test_others_can_write_while_a_photo_is_sent_to_the_bucket(call, written):
    assert send(call, jpeg()).status_code == 201
    assert written == ["PUT", "PUT"]


def test_others_can_write_while_the_photos_of_a_check_are_sent_to_the_bucket(call, written):
    uri = f"data:image/jpeg;base64,{base64.b64encode(jpeg()).decode()}"
    body = {"reg": "LK19 VTE", "odometer": 1, "photos": [{"name": "a", "dataUri": uri}]}
    assert call("POST", "/api/fleet/checks", body).status_code == 201
    assert written == ["PUT", "PUT"]


def test_others_can_write_while_the_bucket_looks_up_a_photo(objects, app_with_bucket, call):
    send(call, jpeg())
    methods = []

    def write(method):
        with app_with_bucket.app_context(), transaction():
            methods.append(method)

    objects.meanwhile = write
    assert send(call, jpeg()).status_code == 200
    assert methods == ["HEAD"]


def test_photos_are_stored_in_the_instance_folder_by_default(tmp_path):
    assert Settings.from_environment({}, tmp_path).photo_store == str(tmp_path / "photos")
    named = Settings.from_environment({"PHOTO_STORE": str(tmp_path / "a" / "b")}, tmp_path)
    assert Path(named.photo_store).is_dir()
    bucket = Settings.from_environment({"PHOTO_STORE": "s3://photos.ours/prefix"}, tmp_path)
    assert bucket.photo_store == "s3://photos.ours/prefix"


def test_an_invalid_photo_store_setting_is_refused_in_one_line(tmp_path):
    message = r"^PHOTO_STORE must be a folder, or s3://"
    for wrong in ("", "Photos", "a", "photos/../x?y=1"):
        with pytest.raises(SettingsError, match=message) as refusal:
            Settings.from_environment({"PHOTO_STORE": f"s3://{wrong}"}, tmp_path)
        assert "\n" not in str(refusal.value)
    for wrong in ("s3:/photos", "https://photos/x"):
        with pytest.raises(SettingsError, match=message):
            Settings.from_environment({"PHOTO_STORE": wrong}, tmp_path)


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SettingsError, match=r"^PHOTO_STORE can't be the folder"):
        Settings.from_environment({"PHOTO_STORE": str(tmp_path / "file")}, tmp_path)
