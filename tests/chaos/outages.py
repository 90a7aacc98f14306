"""A database that restarts or is locked by somebody else, and a clock that jumps."""

import threading
import time
from pathlib import Path

from tests.chaos.blocking import blocked_writers
from tests.chaos.http import send
from tests.chaos.places import SETTINGS
from tests.chaos.trials import Trial
from tests.serving import Server

RESTARTS = 10
LOCKED_SECONDS = 20
MAX_READ_SECONDS = 5.0
FAKETIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"
HOUR = "+3600"


def restart_postgresql(trial: Trial) -> None:
    """Restart PostgreSQL, and crash it, while 4 clients write; the product finds it again."""
    database = trial.place.server
    assert database is not None
    restarts, longest = trial.times(RESTARTS), 0.0
    with trial.serving() as server, trial.load(server) as clients:
        workers = set(server.workers())
        for number in range(restarts):
            clients.wait_for_progress(5)
            database.stop("immediate" if number % 2 else "fast")
            time.sleep(trial.rng.uniform(0, 1))
            database.start(SETTINGS)
            longest = max(longest, clients.wait_for_progress())
        trial.expect(set(server.workers()) == workers, "a worker died with PostgreSQL")
    trial.counts |= {"restarts": restarts, "s at most until it went on": round(longest, 1)}
    trial.compare()


def lock_by_foreign_writer(trial: Trial) -> None:
    """Let another process lock the database for 20 s: 503 for writers, reading goes on."""
    slowest, reads = 0.0, 0
    with trial.serving() as server, trial.load(server) as clients:
        clients.wait_for_progress()
        with blocked_writers(trial.url):
            ends = time.monotonic() + LOCKED_SECONDS
            while time.monotonic() < ends:
                slowest = max(slowest, _read(trial, server, clients.account.headers()))
                reads += 1
        clients.wait_for_progress(5)
    trial.expect(trial.books.counts["503"], "no writer got 503")
    trial.expect(slowest < MAX_READ_SECONDS, f"a read took {slowest:.1f} s")
    trial.counts |= {"reads": reads, "s for the slowest read": round(slowest, 2)}
    trial.compare()


def _read(trial: Trial, server: Server, headers: dict[str, str]) -> float:
    begun = time.monotonic()
    reply = send(server.port, "GET", "/api/gfm/inventory/main", headers=headers)
    trial.expect(reply.status == 200, f"a list got {reply.status} while the database was locked")
    threading.Event().wait(0.05)
    return time.monotonic() - begun


def judge_durability(trial: Trial) -> None:
    """Let `flask doctor` judge whether the database keeps what is committed in a power cut."""
    lines = trial.flask("doctor").stdout.splitlines()
    found = [line for line in lines if " Database: " in line]
    trial.expect(found and found[0].startswith("ok "), f"flask doctor: {lines}")


def jump_clock(trial: Trial) -> None:
    """Let the clock jump an hour ahead and back while 4 clients write."""
    library = next(Path("/").glob(FAKETIME.lstrip("/")), None)
    if library is None:
        trial.problems.append("not run: needs libfaketime (apt-get install libfaketime)")
        return
    clock = trial.folder / "clock"
    clock.write_text("+0")
    trial.variables |= {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # Only the clock of the wall jumps.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    jumps = trial.times(6)
    with trial.serving() as server, trial.load(server) as clients:
        for number in range(jumps):
            clients.wait_for_progress(20)
            clock.write_text("+0" if number % 2 else HOUR)
            clients.wait_for_progress(20)
            clients.resend(5)
    trial.counts["jumps"] = jumps
    trial.compare()
