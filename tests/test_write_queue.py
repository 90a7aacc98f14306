"""The queue of SQLite's writers: in turn, without a time limit of its own, and never in the way."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import text

from app.db import IMMEDIATE, db, read_session, transaction
from app.stock.queries import levels
from app.write_queue import SUFFIX, WaitedTooLong, wait_for_turn
from tests import factories
from tests.factories import MAIN
from tests.person import Caller

PATIENT = 20
FORK = multiprocessing.get_context("fork")
ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "stock.db")


@pytest.fixture
def served_file(app) -> str:
    """The path of the application's database."""
    with app.app_context():
        return str(db.engine.url.database)


def waiting_for(path: str) -> int:
    """Return how many writers wait in a queue."""
    inode = f":{Path(path + SUFFIX).stat().st_ino} "
    locks = Path("/proc/locks").read_text().splitlines()
    return sum("->" in line and inode in line for line in locks)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def write_name(file: str, log: Path, name: str) -> None:
    """Wait for a turn and append a name to a log."""
    turn = wait_for_turn(file, PATIENT)
    with log.open("a") as names:
        names.write(name)
    turn.end()


@pytest.mark.parametrize(
    "start",
    [threading.Thread, multiprocessing.get_context("fork").Process],
    ids=["threads", "processes"],
)
def test_writers_get_their_turns_in_the_order_in_which_they_asked(file, tmp_path, start):
    log = tmp_path / "log"
    first = wait_for_turn(file, PATIENT)
    writers = [start(target=write_name, args=(file, log, name)) for name in "abcde"]
    for number, writer in enumerate(writers, 1):
        writer.start()
        until(lambda number=number: waiting_for(file) == number)
    first.end()
    for writer in writers:
        writer.join()
    assert log.read_text() == "abcde"


def test_the_turn_of_a_killed_process_ends(file):
    has_turn = FORK.Event()

    def stay() -> None:
        _turn = wait_for_turn(file, PATIENT)
        has_turn.set()
        time.sleep(PATIENT)

    process = FORK.Process(target=stay)
    process.start()
    assert has_turn.wait(PATIENT)
    os.kill(process.pid, signal.SIGKILL)
    wait_for_turn(file, PATIENT).end()
    process.join()


def test_a_writer_whose_turn_is_too_late_gives_it_up(file):
    first = wait_for_turn(file, PATIENT)
    refusals = []

    def write() -> None:
        with pytest.raises(WaitedTooLong) as refusal:
            wait_for_turn(file, 0.01)
        refusals.append(refusal)

    writer = threading.Thread(target=write)
    writer.start()
    until(lambda: waiting_for(file) == 1)
    time.sleep(0.02)
    first.end()
    writer.join()
    assert len(refusals) == 1
    wait_for_turn(file, PATIENT).end()


def test_two_databases_have_two_queues(file, tmp_path):
    first = wait_for_turn(file, PATIENT)
    wait_for_turn(str(tmp_path / "other.db"), PATIENT).end()
    first.end()


@pytest.mark.parametrize("path", [None, "/proc/no folder to write to/stock.db"])
def test_without_a_file_there_is_no_queue(path):
    turns = [wait_for_turn(path, PATIENT) for _ in range(2)]
    for turn in turns:
        turn.end()
        turn.end()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@ON_SQLITE
def test_transactions_leave_no_file_open(app):
    def change(*, fails: bool) -> None:
        with transaction():
            db.session.execute(text("UPDATE stock_site SET version = version + 1"))
            if fails:
                raise RuntimeError

    with app.test_request_context():
        change(fails=False)
        before = open_files()
        for number in range(20):
            if number % 2:
                change(fails=False)
            else:
                with pytest.raises(RuntimeError):
                    change(fails=True)
        assert open_files() == before


@ON_SQLITE
def test_a_request_has_the_turn_until_its_transaction_ends(app, served_file):
    writer = threading.Thread(target=lambda: wait_for_turn(served_file, PATIENT).end())
    with app.test_request_context(), transaction():
        writer.start()
        until(lambda: waiting_for(served_file) == 1)
        db.session.execute(text("UPDATE stock_site SET version = 7"))
        assert waiting_for(served_file) == 1
    writer.join()


@ON_SQLITE
def test_a_command_has_the_turn_only_until_its_transaction_begins(app, served_file):
    with app.app_context(), transaction():
        wait_for_turn(served_file, PATIENT).end()


@ON_SQLITE
def test_a_transaction_reads_in_another_session_without_waiting(app):
    with app.app_context():
        factories.item("Red heart", 3)
    with app.test_request_context(), transaction():
        db.session.execute(text("UPDATE stock_site SET version = 7"))
        with read_session() as session:
            assert session.execute(text("SELECT count(*) FROM item")).scalar_one() == 1
        assert [row.amount for row in levels.all_stock(MAIN)] == [3]


@pytest.fixture
def busy_soon(monkeypatch):
    """Let requests wait for a fifth of a second only."""
    monkeypatch.setattr(import_module("app.db"), "BUSY_MILLISECONDS", 200)


@pytest.fixture
def withdraw(app, person):
    """Return a function that withdraws a red heart by JSON."""
    with app.app_context():
        factories.user("keeper")
        factories.item("Red heart", 10)
    person.sign_in("keeper", follow=False)
    call = Caller(person)
    op = {"type": "dec", "id": "Red heart", "delta": 1}
    return lambda: call("PATCH", "/api/gfm/inventory/main", {"ops": [op]})


@ON_SQLITE
@pytest.mark.usefixtures("busy_soon")
def test_requests_behind_a_locked_database_are_refused_while_it_stays_locked(app, withdraw):
    replies = []
    requests = [threading.Thread(target=lambda: replies.append(withdraw())) for _ in range(4)]
    with app.app_context():
        engine = db.engine
    with engine.connect().execution_options(**{IMMEDIATE: True}) as other, other.begin():
        for request in requests:
            request.start()
        for request in requests:
            request.join()
    assert [(r.status_code, r.headers["Retry-After"]) for r in replies] == [(503, "5")] * 4
    assert withdraw().json["items"] == [{"item": "Red heart", "amount": 9}]


@ON_SQLITE
@pytest.mark.usefixtures("busy_soon")
def test_a_request_that_waited_too_long_in_the_queue_is_refused_as_busy(served_file, withdraw):
    replies = []
    first = wait_for_turn(served_file, PATIENT)
    request = threading.Thread(target=lambda: replies.append(withdraw()))
    request.start()
    until(lambda: waiting_for(served_file) == 1)
    time.sleep(0.25)
    first.end()
    request.join()
    (reply,) = replies
    assert reply.status_code == 503
    assert reply.json["error"] == "The database is busy. Try again in a moment."
