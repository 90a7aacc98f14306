"""Stores of photos that are full, read-only, slow, failing, or away."""

import hashlib
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from tests.chaos.disks import fill_disk, small_disk
from tests.chaos.http import Account, ConnectionFailed, Reply, send
from tests.chaos.trials import Trial
from tests.photos.object_server import Objects
from tests.photos.object_server import serving as serving_objects
from tests.photos.photo_files import encoded
from tests.serving import Server

PHOTO_DISK = 8
SIZE = (64, 48)
SLOW_SECONDS = 2.0
UPLOADS = 12


class Uploads:
    """Photos that are sent, and what was acknowledged of them."""

    def __init__(self, trial: Trial, port: int) -> None:
        self.trial = trial
        self.account = Account(port)
        self.acknowledged: dict[str, bytes] = {}

    def new(self) -> bytes:
        """Return a picture that was never sent."""
        return encoded(
            Image.frombytes("RGB", SIZE, self.trial.rng.randbytes(3 * SIZE[0] * SIZE[1]))
        )

    def send(self, data: bytes) -> Reply:
        """Send a photo; 200 and 201 acknowledge it."""
        name = hashlib.sha256(data).hexdigest()
        headers = self.account.headers(**{"Content-Type": "image/jpeg"})
        reply = send(self.account.port, "PUT", f"/api/photos/{name}", data, headers)
        if reply.status in (200, 201):
            self.acknowledged[name] = data
        elif "retry-after" not in reply.headers:
            self.trial.problems.append(f"a photo got {reply.status} {reply.body[:200]!r}")
        return reply

    def expect(self, status: int, state: str, data: bytes | None = None) -> bytes:
        """Send a photo, which must get this status; returns it."""
        data = data or self.new()
        reply = self.send(data)
        text = f"a photo got {reply.status}, not {status}, while the store was {state}"
        self.trial.expect(reply.status == status, text)
        return data

    def expect_all_readable(self) -> None:
        """Read everything that was acknowledged."""
        for name in self.acknowledged:
            path = f"/api/photos/{name}"
            reply = send(self.account.port, "GET", path, headers=self.account.headers())
            self.trial.expect(reply.status == 200, f"an acknowledged photo is lost: {name}")


def break_photo_folder(trial: Trial) -> None:
    """Fill the folder of photos, make it read-only, take it away; then all is sent again."""
    disk = trial.folder / "photo-disk"
    with small_disk(disk, PHOTO_DISK):
        trial.variables["PHOTO_STORE"] = str(disk / "photos")
        (disk / "photos").mkdir()
        with trial.serving() as server, trial.load(server, number=1) as clients:
            uploads = Uploads(trial, server.port)
            for _ in range(trial.times(5)):
                refused = []
                uploads.expect(201, "well")
                ballast = fill_disk(disk)
                refused += [uploads.expect(507, "full") for _ in range(3)]
                ballast.unlink()
                with read_only(disk):
                    refused += [uploads.expect(503, "read-only") for _ in range(3)]
                with taken_away(disk / "photos"):
                    refused += [uploads.expect(503, "away") for _ in range(3)]
                clients.wait_for_progress()
                for data in refused:
                    uploads.expect(201, "well again", data)
            uploads.expect_all_readable()
        partial = [str(path) for path in disk.rglob("*.part")]
        trial.expect(not partial, f"unfinished files are left: {partial}")
        trial.counts["photos"] = len(uploads.acknowledged)
        trial.compare()


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """Make a mounted disk read-only during the block."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


@contextmanager
def taken_away(folder: Path) -> Iterator[None]:
    """Rename a folder during the block."""
    other = folder.with_name("elsewhere")
    folder.rename(other)
    try:
        yield
    finally:
        other.rename(folder)


def break_photo_bucket(trial: Trial) -> None:
    """Make the bucket of photos slow and failing; others' requests go on meanwhile."""
    with serving_objects() as bucket:
        trial.variables |= {
            "PHOTO_STORE": "s3://photos",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{bucket.server_port}",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "something",
            "AWS_REGION": "eu-west-2",
        }
        with trial.serving() as server, trial.load(server, number=1) as clients:
            uploads = Uploads(trial, server.port)
            uploads.expect(201, "well")
            _use_slow_bucket(trial, server, bucket, uploads)
            bucket.fails = True
            refused = [uploads.expect(503, "failing") for _ in range(2)]
            bucket.fails = False
            for data in refused:
                uploads.expect(201, "well again", data)
            uploads.expect_all_readable()
            clients.wait_for_progress()
        trial.counts["photos"] = len(uploads.acknowledged)
        trial.compare()


def _use_slow_bucket(trial: Trial, server: Server, bucket: Objects, uploads: Uploads) -> None:
    pause = threading.Event()
    bucket.meanwhile = lambda _: pause.wait(SLOW_SECONDS)
    photos = [uploads.new() for _ in range(UPLOADS)]

    def upload(data: bytes) -> None:
        try:
            while uploads.send(data).status not in (200, 201):
                pause.wait(0.2)
        except ConnectionFailed as error:
            trial.problems.append(f"a photo had no answer while the store was slow: {error!r}")

    threads = [threading.Thread(target=upload, args=(data,)) for data in photos]
    for thread in threads:
        thread.start()
    slowest = 0.0
    while any(thread.is_alive() for thread in threads):
        begun = time.monotonic()
        path = "/api/gfm/inventory/main"
        reply = send(server.port, "GET", path, headers=uploads.account.headers())
        trial.expect(reply.status == 200, f"a list got {reply.status} while the store was slow")
        slowest = max(slowest, time.monotonic() - begun)
        pause.wait(0.05)
    for thread in threads:
        thread.join()
    bucket.meanwhile = lambda _: None
    trial.counts["s for the slowest read"] = round(slowest, 2)
    trial.expect(slowest < SLOW_SECONDS, f"a list took {slowest:.1f} s while the store was slow")
