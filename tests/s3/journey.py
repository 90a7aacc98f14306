"""The product served with its photos in the bucket, over a line that hangs for a while."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from app import create_app
from app.divisions import Division
from tests import factories
from tests.chaos.line import Line, State
from tests.databases import migrate, settings_for
from tests.person import Caller, Person
from tests.photos.photo_files import address, jpeg, send
from tests.s3.promises import STORE
from tests.s3.swift import Swift
from tests.server.proxy import Proxy
from tests.serving import ROOT, environment, serving

WAITING = 6
"""Clients that want a photo while the bucket hangs: more than a worker has threads for."""

MAX_SECONDS_FOR_PAGE = 3.0
PRODUCT_STORE = f"{STORE}/served"


@contextmanager
def served(swift: Swift, line: Line, folder: Path) -> Iterator[tuple[Proxy, str]]:
    """Serve the product with one worker, and yield it with its database."""
    url = f"sqlite:///{folder}/product.db"
    migrate(url, folder)
    with create_app(settings_for(url, folder)).app_context():
        factories.user("driver", Division.FLEET)
    settings = swift.settings(line.port) | {"PHOTO_STORE": PRODUCT_STORE, "PROXY_HOPS": "1"}
    with serving(url, folder, "--workers", "1", settings=settings) as port:
        yield Proxy(port), url


def photo_is_used_while_the_bucket_hangs_and_afterwards(
    swift: Swift, line: Line, folder: Path
) -> str:
    """Send photos before, while and after the bucket hangs; then verify and back up."""
    with served(swift, line, folder) as (product, url):
        driver = Person(product)
        driver.sign_in("driver")
        call = Caller(driver)
        before, during = jpeg(), jpeg((99, 99))
        assert send(call, before).status_code == 201
        line.become(State.SILENT)
        page_seconds = _longest_page_beside_hanging_photos(driver, before)
        refused = send(call, during)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5"), refused
        line.become(State.GOOD)
        assert send(call, during).status_code == 201
        photos = [
            {"name": "a.jpg", "id": address(photo).rpartition("/")[2]} for photo in (before, during)
        ]
        body = {"reg": "LK19 VTE", "odometer": 1, "photos": photos}
        made = call("POST", "/api/fleet/checks", body)
        assert made.status_code == 201, made.json
        for photo in made.json["photos"]:
            assert call("GET", photo["url"]).status_code == 200
    settings = environment(url, folder) | swift.settings() | {"PHOTO_STORE": PRODUCT_STORE}
    for command in (["verify"], ["backup", str(folder / "backups")], ["photos", "sweep"]):
        _run(settings, *command)
    backup = next((folder / "backups").iterdir())
    other = {"DATABASE_URL": f"sqlite:///{folder}/restored.db", "PHOTO_STORE": f"{STORE}/restored"}
    _run(settings | other, "restore", str(backup), "--verify")
    return f"a page took {page_seconds:.1f} s at most while it hung"


def _longest_page_beside_hanging_photos(driver: Person, photo: bytes) -> float:
    with ThreadPoolExecutor(WAITING) as pool:
        replies = [pool.submit(driver.client.get, address(photo)) for _ in range(WAITING)]
        longest = 0.0
        while not all(reply.done() for reply in replies):
            begun = time.monotonic()
            assert driver.client.get("/fleetChecks").status_code == 200
            longest = max(longest, time.monotonic() - begun)
        assert {reply.result().status_code for reply in replies} == {503}
    assert longest <= MAX_SECONDS_FOR_PAGE, longest
    return longest


def _run(settings: dict[str, str], *command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "flask", *command],
        cwd=ROOT,
        env=settings,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, f"flask {command[0]}: {ended.stdout}{ended.stderr}"
