"""What the photo store promises of a bucket, tried on a real one."""

import hashlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import obstore
from obstore.exceptions import AlreadyExistsError
from obstore.store import S3Store

from app.errors import NotFound, Unavailable
from app.photos.services.contents import DOCUMENT
from app.photos.services.photo_store import PhotoStore, open_store
from tests.chaos.line import Line, State
from tests.failover.clients import call
from tests.s3.swift import Swift

BUCKET = "photos"
STORE = f"s3://{BUCKET}/of/ours"
MORE_THAN_A_PAGE = 1_010
MAX_SECONDS_TO_FAIL = 25


def make_bucket(swift: Swift) -> None:
    """Make the bucket, as an admin does; the store's own client can't."""
    address = obstore.sign(_client(), "PUT", "", timedelta(minutes=5))
    made = call(swift.port, "PUT", address.partition(str(swift.port))[2])
    assert made.status == 200, made


def _client() -> S3Store:
    return S3Store(BUCKET, client_options={"allow_http": True})


def name_of(number: int) -> str:
    """Return the name of a photo's file."""
    return f"{hashlib.sha256(str(number).encode()).hexdigest()}.jpg"


def file_is_stored_read_and_removed(store: PhotoStore) -> str:
    """Store a file twice, read it, and remove it twice."""
    name, data = name_of(0), b"x" * 300_000
    assert not store.exists(name)
    for _ in range(2):
        store.put(name, data)
    assert store.exists(name)
    assert store.get(name) == data
    for _ in range(2):
        store.delete(name)
    assert not store.exists(name)
    return "twice each"


def missing_file_is_not_found(store: PhotoStore) -> str:
    """Read a file that isn't there."""
    _expect(NotFound, lambda: store.get(name_of(1)))
    return "NotFound"


def all_files_are_listed(store: PhotoStore) -> str:
    """List more files than one reply of the bucket holds, documents among them."""
    names = {name_of(number) for number in range(MORE_THAN_A_PAGE)}
    names |= {DOCUMENT.file(name_of(number)[:64]) for number in range(3)}
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: store.put(name, name.encode()), names))
    listed = list(store.files())
    assert {file.name for file in listed} == names
    assert all(file.size == len(file.name) for file in listed)
    return f"{len(listed):,} files"


def conditional_write_is_refused(store: PhotoStore) -> str:
    """Write a file only if there is none, which the product doesn't need."""
    store.put(name_of(2), b"one")
    path = f"of/ours/{name_of(2)[:2]}/{name_of(2)}"
    _expect(AlreadyExistsError, lambda: _client().put(path, b"two", mode="create"))
    assert store.get(name_of(2)) == b"one"
    return "If-None-Match: * is honoured"


def missing_bucket_is_out_of_reach(_store: PhotoStore) -> str:
    """Write to a bucket that nobody made."""
    _expect(Unavailable, lambda: open_store("s3://nowhere").put(name_of(0), b"one"))
    return "Unavailable"


def slow_line_only_takes_longer(store: PhotoStore, line: Line) -> str:
    """Store and read a file over a slow line."""
    line.become(State.SLOW)
    begun = time.monotonic()
    store.put(name_of(3), b"one")
    assert store.get(name_of(3)) == b"one"
    return f"{time.monotonic() - begun:.1f} s"


def cut_line_is_out_of_reach(store: PhotoStore, line: Line) -> str:
    """Store and read a file over a line that is cut."""
    return _fails(store, line, State.CUT)


def hanging_line_is_out_of_reach(store: PhotoStore, line: Line) -> str:
    """Store and read a file over a line that hangs."""
    return _fails(store, line, State.SILENT)


def _fails(store: PhotoStore, line: Line, state: State) -> str:
    line.become(state)
    begun = time.monotonic()
    _expect(Unavailable, lambda: store.put(name_of(4), b"one"))
    _expect(Unavailable, lambda: store.get(name_of(4)))
    took = time.monotonic() - begun
    assert took <= MAX_SECONDS_TO_FAIL, took
    line.become(State.GOOD)
    store.put(name_of(4), b"one")
    assert store.get(name_of(4)) == b"one"
    return f"Unavailable after {took / 2:.1f} s, then works again"


def _expect(kind: type[Exception], work: Callable[[], object]) -> None:
    try:
        work()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")
