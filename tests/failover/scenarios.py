"""The faults, and the run of one under load."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.failover.clients import Clients
from tests.failover.figures import MAX_GAP_SECONDS, Figures, Moments, measure
from tests.failover.servers import Pair, query
from tests.postgresql_server import PostgresqlServer
from tests.serving import ROOT, environment, serving

BEFORE_SECONDS = 5.0
AFTER_SECONDS = 20.0
DETECTION_SECONDS = 1.0
"""How long whoever watches the primary takes to decide that it is gone."""

HOSTS = 2


@dataclass(frozen=True)
class Scenario:
    """A fault, which returns the moments when nobody led and when somebody did.

    `leader` is who has the data in the end. Without `max_gap` changes wait for an admin.
    """

    name: str
    fault: Callable[[Pair], tuple[float, float]]
    leader: Callable[[Pair], PostgresqlServer] = lambda pair: pair.standby
    max_gap: float | None = MAX_GAP_SECONDS


def kill_primary(pair: Pair) -> tuple[float, float]:
    """Kill the primary's processes, and promote the standby."""
    pair.primary.send(signal.SIGKILL)
    return _promote(pair, DETECTION_SECONDS)


def switch_over(pair: Pair) -> tuple[float, float]:
    """Stop the primary, which sends its standby all it has, and promote that."""
    pair.primary.stop("fast")
    return _promote(pair, 0)


def freeze_primary(pair: Pair) -> tuple[float, float]:
    """Freeze the primary, promote the standby, and wake the old primary up again."""
    pair.primary.send(signal.SIGSTOP)
    moments = _promote(pair, DETECTION_SECONDS)
    time.sleep(AFTER_SECONDS / 2)
    pair.primary.send(signal.SIGCONT)
    return moments


def promote_beside_primary(pair: Pair) -> tuple[float, float]:
    """Promote the standby while the primary goes on, which nobody should do."""
    return _promote(pair, 0)


def lose_standby(pair: Pair) -> tuple[float, float]:
    """Kill the standby; after a while an admin lets the primary go on without."""
    pair.standby.send(signal.SIGKILL)
    begun = time.monotonic()
    time.sleep(AFTER_SECONDS)
    query(
        pair.primary,
        "ALTER SYSTEM SET synchronous_standby_names = ''",
        "SELECT pg_reload_conf()",
    )
    # The primary leads all the time, but takes no changes.
    return begun, begun


def _promote(pair: Pair, after_seconds: float) -> tuple[float, float]:
    leaderless = time.monotonic()
    time.sleep(after_seconds)
    promoting = time.monotonic()
    pair.standby.promote()
    # It takes changes before the command returns.
    return leaderless, promoting


SCENARIOS = (
    Scenario("primary killed", kill_primary),
    Scenario("planned switch-over", switch_over),
    Scenario("primary frozen, woken later", freeze_primary),
    # It takes as long as statements wait for the locks of commits that wait for ever.
    Scenario("standby promoted beside primary", promote_beside_primary, max_gap=40),
    Scenario("standby lost", lose_standby, lambda pair: pair.primary, max_gap=None),
)


def run(scenario: Scenario, pair: Pair, folder: Path, clients: int) -> Figures:
    """Run a scenario under load on two hosts, and return what it showed."""
    folders = [folder / f"host-{number}" for number in range(HOSTS)]
    with ExitStack() as stack:
        ports = []
        for host in folders:
            host.mkdir(parents=True)
            ports.append(stack.enter_context(serving(pair.url, host)))
        load = Clients(ports, clients)
        load.start()
        time.sleep(BEFORE_SECONDS)
        fault = time.monotonic()
        leaderless, led = scenario.fault(pair)
        time.sleep(AFTER_SECONDS)
        load.stop()
    leader = scenario.leader(pair)
    for server in (pair.primary, pair.standby):
        if server is not leader:
            server.kill()
    logs = "".join((host / "serve.log").read_text() for host in folders)
    return measure(
        scenario.name,
        Moments(fault, leaderless, led),
        load.changes,
        load.replies,
        load.readiness,
        dict(query(leader, "SELECT name, amount FROM item")),  # type: ignore[arg-type]
        workers_ended=len(re.findall(r"ended \(exit code", logs)),
        verified=_is_right(pair, folder),
    )


def _is_right(pair: Pair, folder: Path) -> bool:
    verify = [sys.executable, "-m", "flask", "verify"]
    ended = subprocess.run(
        verify, cwd=ROOT, env=environment(pair.url, folder), capture_output=True, text=True
    )
    if ended.returncode:
        print(ended.stdout, ended.stderr, file=sys.stderr)
    return ended.returncode == 0
