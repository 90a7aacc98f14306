"""Requests generated from the API description find no fault.

`make test` sends changes at the limits of their schemas, `make test-all` all
of them, and `make fuzz` sends them for FUZZ_MINUTES in each test.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from app.divisions import Division
from tests import factories
from tests.api.filled_upkeep import OFF_ROAD, fill_upkeep
from tests.api.served import Served, served
from tests.databases import Copies
from tests.person import PASSWORD, Person
from tests.serving import ROOT

MINUTES = float(os.environ.get("FUZZ_MINUTES", "0"))
SIGN_OUT = ["/api/auth/logout", "/api/auth/change-password"]
"""Calls that end the session of a user who has more requests to send."""
SECOND_PREFIX = r"^/api/(gfm|gpm|fleet)/(?!transfers$|history$)"
"""Addresses under which calls without a division in their path are served again."""

Headers = dict[str, str]
Fuzz = Callable[..., None]


@pytest.fixture(scope="module")
def fuzzed(sqlite: Copies, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`flask serve` on a database with entries in every list."""
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
        factories.vehicle("AB12 CDE")
        factories.vehicle(OFF_ROAD)
        factories.check(by=1, photos=["front.jpg"])
        fill_upkeep(1)
        factories.asset()


def cookie(fuzzed: Served, username: str) -> Headers:
    """Sign in as a browser does; return the headers of its requests."""
    person = Person(fuzzed.app)
    person.sign_in(username, follow=False)
    token = person.open("/choose").fields("form[method=post]")["csrf_token"]
    session = person.client.get_cookie("session")
    assert session is not None
    # Its name where the product is served as in production.
    return {"Cookie": f"__Host-session={session.value}", "X-CSRFToken": token}


def bearer(fuzzed: Served, username: str) -> Headers:
    """Sign in as an API client does; return the headers of its requests."""
    body = {"username": username, "password": PASSWORD}
    reply = fuzzed.app.test_client().post("/api/auth/login", json=body)
    return {"Authorization": f"Bearer {reply.json['accessToken']}"}


@pytest.fixture
def fuzz(fuzzed: Served, tmp_path: Path, pytestconfig: pytest.Config) -> Fuzz:
    """Return a function that sends requests, each as the next caller, and fails with the faults."""
    is_whole = pytestconfig.option.thorough

    def fuzz(callers: list[Headers], *options: str) -> None:
        left_out = [] if is_whole else [f"--exclude-path-regex={SECOND_PREFIX}"]
        if "--include-tag=Sign-in" not in options:
            left_out += [f"--exclude-path={path}" for path in SIGN_OUT]
        run = subprocess.run(
            [
                str(Path(sys.executable).with_name("st")),
                f"--config-file={ROOT / 'tests/api/fuzz.toml'}",
                "run",
                f"{fuzzed.address}/api/openapi.json",
                "--checks=all",
                "--warnings=off",
                "--no-color",
                *left_out,
                *([f"--max-time={int(MINUTES * 60)}"] if MINUTES else ["--seed=1", *options]),
            ],
            cwd=tmp_path,
            env=os.environ
            | ({"FUZZ_IS_WHOLE": "1"} if is_whole else {})
            | {
                "PYTHONPATH": str(ROOT),
                # Its tables of characters take 2 seconds to make.
                "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis"),
                "FUZZ_CALLERS": json.dumps(callers),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2000:]
        print(run.stdout[-1500:])

    return fuzz


def test_requests_at_the_limits_of_every_schema_find_no_fault(fuzzed, fuzz, pytestconfig):
    callers = [bearer(fuzzed, "manager"), cookie(fuzzed, "manager")]
    changes_alone = [] if pytestconfig.option.thorough else ["--exclude-method=GET"]
    fuzz(callers, "--phases=coverage", *changes_alone)


@pytest.mark.thorough
def test_examples_and_random_requests_of_every_kind_of_user_find_no_fault(fuzzed, fuzz):
    users = ["manager", "gfm", "gpm", "fleet", "assets", "scoped"]
    callers = [*(bearer(fuzzed, user) for user in users), cookie(fuzzed, "manager")]
    fuzz(callers, "--phases=examples,fuzzing,stateful", "--max-examples=1")


def test_requests_of_a_user_who_signs_out_find_no_fault(fuzzed, fuzz):
    fuzz([bearer(fuzzed, "leaver")], "--include-tag=Sign-in", "--max-examples=2")


@pytest.mark.thorough
def test_requests_of_nobody_find_no_fault(fuzz):
    fuzz([], "--phases=examples,fuzzing", "--max-examples=1")
