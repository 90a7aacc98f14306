"""Strangers' requests, made from the description alone, find nothing wrong.

FUZZ_TIMES lengthens the runs, as `make fuzz` does.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from app.divisions import Division
from tests import factories
from tests.api.served import Served, served
from tests.databases import Copies
from tests.journeys.serving import ROOT
from tests.person import PASSWORD, Person

TIMES = float(os.environ.get("FUZZ_TIMES", "1"))
ENDINGS = ["/api/auth/logout", "/api/auth/change-password"]
"""What would end the session of somebody who has more to ask."""


@pytest.fixture(scope="module")
def fuzzed(sqlite: Copies, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`flask serve` on a database in which there is something of everything."""
    with served(sqlite, tmp_path_factory.mktemp("fuzzed"), something_of_everything) as product:
        yield product


def something_of_everything(app: Flask) -> None:
    with app.app_context():
        for division in Division:
            factories.user(division.value, division)
        factories.user("manager", *Division)
        factories.user("leaver", *Division)
        factories.user("scoped", scopes=["gfm:read", "fleet:read"])
        for store in (factories.MAIN, factories.GPM):
            factories.items([(f"Red heart {n}", n) for n in range(5)], store=store)
        factories.directory(5)
        factories.delivery("Red heart 1")
        factories.vehicle()
        factories.check(by=1, photos=["front.jpg"])
        factories.asset()


def cookie(fuzzed: Served, username: str) -> list[str]:
    """Sign in as a browser does; return how the fuzzer sends the session with its token."""
    person = Person(fuzzed.app)
    person.sign_in(username, follow=False)
    session = person.client.get_cookie("session")
    assert session is not None
    token = person.open("/choose").fields("form")["csrf_token"]
    return [f"--header=Cookie: session={session.value}", f"--header=X-CSRFToken: {token}"]


def bearer(fuzzed: Served, username: str) -> str:
    """Sign in as an API client does; return how the fuzzer sends the access token."""
    body = {"username": username, "password": PASSWORD}
    reply = fuzzed.app.test_client().post("/api/auth/login", json=body)
    return f"--header=Authorization: Bearer {reply.json['accessToken']}"


def fuzz(fuzzed: Served, folder: Path, seconds: float, *options: str) -> None:
    """Fail with what was found, if anything."""
    run = subprocess.run(
        [
            str(Path(sys.executable).with_name("st")),
            f"--config-file={ROOT / 'tests/api/fuzz.toml'}",
            "run",
            f"{fuzzed.address}/api/openapi.json",
            "--checks=all",
            f"--max-time={int(seconds * TIMES)}",
            "--warnings=off",
            *(["--seed=1"] if TIMES == 1 else []),
            "--no-color",
            *options,
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2000:]
    print(run.stdout[-1500:])


@pytest.mark.parametrize(
    ("username", "seconds"),
    [("gfm", 10), ("gpm", 15), ("fleet", 15), ("assets", 10), ("scoped", 6), ("manager", 30)],
)
def test_nothing_is_wrong_with_what_somebody_is_answered(fuzzed, tmp_path, username, seconds):
    kept = [f"--exclude-path={path}" for path in ENDINGS]
    fuzz(fuzzed, tmp_path, seconds, bearer(fuzzed, username), *kept)


def test_nothing_is_wrong_with_what_a_browser_is_answered(fuzzed, tmp_path):
    kept = [f"--exclude-path={path}" for path in ENDINGS]
    fuzz(fuzzed, tmp_path, 10, *cookie(fuzzed, "manager"), *kept)


def test_nothing_is_wrong_with_what_somebody_is_answered_who_signs_out(fuzzed, tmp_path):
    fuzz(fuzzed, tmp_path, 6, bearer(fuzzed, "leaver"), "--include-tag=Sign-in")


def test_nothing_is_wrong_with_what_nobody_is_answered(fuzzed, tmp_path):
    fuzz(fuzzed, tmp_path, 6)
